import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { ignoreOthers } from "./test/other-processes.ts";
import { INSTALLING } from "./test/real/installing.ts";
import { useRunFolder } from "./test/run-folder.ts";

useRunFolder();
ignoreOthers();

/** What takes longest comes first, or everybody waits for it in the end; the rest goes by size. */
const LONGEST = [
  ...[
    "web/hub",
    "web/views",
    "vscode-edit",
    "copilot-corpus",
    "web/hostile",
    "claude-rescue",
    "real/handoff",
  ],
  ...[
    "web/axe",
    "copilot-chat",
    "claude-parity",
    "copilot-edit",
    "claude-edit",
    "provider",
    "copilot-own-store",
  ],
  ...["changes-judged", "web/chat", "copilot-import", "vscode-rescue", "copilot-compact", "copilot-rescue"],
  ...[
    "faults",
    "library",
    "edit-contract",
    "vscode-faults",
    "mcp/secrets",
    "mcp/tools",
    "commands",
    "hub/load",
  ],
  ...[
    "provider-edit",
    "workers",
    "operations",
    "cli/chat",
    "command-json",
    "turn-pages",
    "recall",
    "hub/search",
  ],
  ...["kill-undo", "sql-bounds", "kill", "library-types", "quoting", "links", "vscode-kill"],
];
/**
 * The real programs come first as well, but last while they are being installed. Files of the two projects are not mixed:
 * a worker serves one project only, and ends, with its modules and the programs that it keeps running, where the next file
 * belongs to the other.
 */
const FIRST = process.env[INSTALLING] === undefined ? "real" : "unit";
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const place = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return (project.name === FIRST ? 0 : LONGEST.length + 1) + (place < 0 ? LONGEST.length : place);
    };
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
    // A test whose assertions all stand in a loop over nothing has shown nothing.
    expect: { requireAssertions: true },
    sequence: { sequencer: LongestFirst },
    setupFiles: ["test/setup.ts"],
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/**/*.test.ts", "web/src/**/*.test.ts"],
          exclude: ["test/real/**", "**/node_modules/**"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "real",
          include: ["test/real/**/*.test.ts"],
          setupFiles: ["test/real/installed.ts"],
          exclude: ["**/node_modules/**"],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
