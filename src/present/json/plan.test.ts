import { expect, it } from "vitest";
import type { EditPlan } from "../../model/plan.ts";
import { toPlanJson } from "./plan.ts";

const PLAN = {
  kind: "rescue",
  session: { source: "vscode", id: "it's", path: "/a" },
  from: { source: "vscode", id: "it's" },
  steps: [],
  basis: [],
  losses: [
    "a file",
    { say: "VS Code's list of chats", remedy: { action: "rescue", args: { vscode: true } } },
  ],
  isContinuable: true,
} as unknown as EditPlan;

it("words commands for the home that was read", () => {
  expect(toPlanJson(PLAN, { demo: undefined })).toMatchObject({
    losses: ["a file", "VS Code's list of chats: rethread rescue --vscode"],
    resume: "rethread resume 'vscode:it'\\''s'",
  });
  expect(toPlanJson(PLAN, { demo: "asked" })).toMatchObject({
    losses: ["a file", "VS Code's list of chats: rethread rescue --vscode --demo"],
    resume: "rethread resume 'vscode:it'\\''s' --demo",
  });
});
