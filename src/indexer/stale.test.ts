import { afterEach, beforeEach, expect, it } from "vitest";
import { createTinyHome, type TinyHome } from "../../test/tiny-home.ts";

let home: TinyHome;
beforeEach(() => {
  home = createTinyHome();
});
afterEach(() => home.remove());

const session = (n: number): string => `0b1c0000-0000-4000-8000-00000000000${n}`;
const log = (n: number): string => `copilot/session-state/${session(n)}/events.jsonl`;
const line = (type: string, data: object): object => ({
  type,
  data,
  id: session(0),
  timestamp: "2026-10-01T10:00:00.000Z",
  parentId: null,
});
/** A turn that asks for one thing, edits one file and makes one commit. */
const turn = (word: string, hash: string): object[] => [
  line("user.message", { content: `Do the ${word}` }),
  line("assistant.message", {
    messageId: word,
    content: "",
    toolRequests: [
      { toolCallId: `${word}-1`, name: "edit", arguments: { path: `${word}.ts` } },
      { toolCallId: `${word}-2`, name: "bash", arguments: { command: "git commit" } },
    ],
  }),
  line("session.usage_record", { usage: { model: word, outputTokens: 1 } }),
  line("tool.execution_complete", { toolCallId: `${word}-1`, success: true, result: { content: "Done" } }),
  line("tool.execution_complete", {
    toolCallId: `${word}-2`,
    success: true,
    result: { content: `[main ${hash}] x` },
  }),
];
const everything = () => ({
  turns: home.words("SELECT user_message FROM turns ORDER BY 1"),
  files: home.words("SELECT file_path FROM session_files ORDER BY 1"),
  refs: home.words("SELECT ref_value FROM session_refs ORDER BY 1"),
  usage: home.words("SELECT model FROM assistant_usage_events ORDER BY 1"),
  found: home.words("SELECT rowid > 0 FROM search_index WHERE search_index MATCH 'walrus'").length,
});
const OTTER = { turns: ["Do the otter"], files: ["otter.ts"], refs: ["1111111"], usage: ["otter"], found: 0 };

it("forgets the turns behind a rewind, with their files, references, model calls and words", async () => {
  home.write(log(1), ...turn("otter", "1111111"), ...turn("walrus", "2222222"));
  await home.index();
  expect(everything()).toMatchObject({ turns: ["Do the otter", "Do the walrus"] });
  expect(everything().found).toBeGreaterThan(0);
  home.write(log(1), ...turn("otter", "1111111"));
  await home.index();
  expect(everything()).toEqual(OTTER);
});

it("forgets all of a session that was deleted, when told to", async () => {
  home.write(log(1), ...turn("otter", "1111111"));
  home.write(log(2), ...turn("walrus", "2222222"));
  await home.index();
  home.remove(`copilot/session-state/${session(2)}`);
  await home.index();
  expect(everything()).toEqual(OTTER);
});
