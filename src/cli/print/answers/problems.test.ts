import { expect, it } from "vitest";
import type { Problem } from "../../../model/problem.ts";
import { fixLines } from "./problems.ts";

const problem = (what: Pick<Problem, "remedy" | "fix">): Problem => ({
  code: "workspace-missing",
  source: "vscode",
  path: "/s",
  message: "the folder is gone",
  ...what,
});

it("leaves a command in one piece, however narrow the terminal, and breaks sentences", () => {
  const move = problem({
    remedy: { action: "move", args: { from: "/work/rates-service", to: "/work/rates" } },
  });
  expect(fixLines(move, 40)).toEqual(["→ rethread move --from /work/rates-service --to /work/rates"]);
  const fix = "Close VS Code, then repair it: rethread rescue --vscode --dry-run";
  expect(fixLines(problem({ fix }), 32)).toEqual([
    "→ Close VS Code, then repair it:",
    "rethread rescue --vscode --dry-run",
  ]);
});
