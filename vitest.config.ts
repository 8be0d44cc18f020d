import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { ignoreOthers } from "./test/other-processes.ts";
import { useRunFolder } from "./test/run-folder.ts";

useRunFolder();
ignoreOthers();

/** What takes longest comes first, or everybody waits for it in the end; else the largest file would. */
const LONGEST = [
  ...["claude-parity", "copilot-corpus", "edit-contract", "copilot-import", "copilot-edit", "copilot-chat"],
  ...["copilot-own-store", "faults", "vscode-edit", "vscode-kill", "kill", "copilot-rescue"],
];
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number =>
      LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`)) + 1 || LONGEST.length + 1;
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Two projects: `unit` needs nothing but this package; `real` runs the vendors' own programs from test/real/. */
export default defineConfig({
  test: {
    // The machines are small, but much of the time goes by waiting: for disks, and for programs that wait themselves.
    maxWorkers: 3,
    // No test leaves anything in a module that another would see; loading all modules for each file costs a third of a second.
    isolate: false,
    unstubEnvs: true,
    sequence: { sequencer: LongestFirst },
    setupFiles: ["test/setup.ts"],
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/**/*.test.ts"],
          exclude: ["test/real/**", "**/node_modules/**"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "real",
          include: ["test/real/**/*.test.ts"],
          exclude: ["**/node_modules/**"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
