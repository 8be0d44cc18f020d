import { expect, it } from "vitest";
import { createMemoryFs } from "../../platform/fs/memory.ts";
import { signs } from "./program.ts";

const ID = "01a1eec5-24e2-7161-b425-4271ec347d3f";
const isCodex = (...words: string[]): boolean => signs.isProgram({ pid: 1, words } as never);

it("knows the program under the names that it is installed by", () => {
  expect(isCodex("codex", "resume", ID)).toBe(true);
  expect(
    isCodex("/opt/node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex"),
  ).toBe(true);
  expect(isCodex("node", "/usr/lib/node_modules/@openai/codex/bin/codex.js")).toBe(true);
  expect(isCodex("/usr/bin/vim", "codex.md")).toBe(false);
});

it("finds the session that it was started on, but none that it only forks", async () => {
  expect(signs.sessionsIn(["codex", "exec", "resume", ID, "Go on"])).toEqual([ID]);
  expect(signs.sessionsIn(["codex", "fork", ID])).toEqual([]);
  const session = { id: ID, path: "/x" };
  expect(await signs.isCalled(createMemoryFs(), session, ID.toUpperCase())).toBe(true);
});
