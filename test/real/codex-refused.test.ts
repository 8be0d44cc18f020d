/** What the real Codex CLI refuses, and what it does with names and the archive, as our source says of it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Problem } from "../../src/model/problem.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { compose, merge } from "../../src/sources/codex/demo/compose.ts";
import source from "../../src/sources/codex/index.ts";
import { parseLogName } from "../../src/sources/codex/locate.ts";
import { type CodexHome, createHome, openCodex } from "./codex.ts";

const codex = openCodex();
const home: CodexHome = createHome();
afterAll(() => {
  codex.close();
  home.remove();
});

const story = (name: string) => ({
  ...{ id: name, title: `The ${name} story`, workspace: home.workspace, model: "gpt-5.5" },
  createdAt: "2026-11-01T10:00:00.000Z",
  turns: [
    {
      at: "2026-11-01T10:00:00.000Z",
      user: `Ask ${name}`,
      steps: [{ kind: "say" as const, text: "Answer." }],
    },
  ],
});

/** Writes a story with something done to its log, and gives its id. */
function write(name: string, change: (log: Buffer) => Buffer = (log) => log): string {
  const [log, names] = compose(story(name));
  for (const image of [log, names])
    if (image) {
      const path = join(home.root, image.path);
      mkdirSync(dirname(path), { recursive: true });
      const bytes = Buffer.from(String(image.content));
      if (image === log) writeFileSync(path, change(bytes));
      else writeFileSync(path, bytes, { flag: "a" });
    }
  return parseLogName(log?.path ?? "")?.session ?? "";
}

const DAMAGES: readonly (readonly [name: string, code: string, change: (log: Buffer) => Buffer])[] = [
  ["an empty log", "session-empty", () => Buffer.alloc(0)],
  ["no first record", "session-start-missing", (log) => log.subarray(log.indexOf("\n") + 1)],
  [
    "a first record that comes late",
    "session-start-missing",
    (log) => Buffer.concat([log.subarray(log.indexOf("\n") + 1), log.subarray(0, log.indexOf("\n") + 1)]),
  ],
  ["a byte order mark", "session-start-missing", (log) => Buffer.concat([Buffer.from("\ufeff"), log])],
  [
    "bytes that are not UTF-8",
    "record-encoding",
    (log) => Buffer.from(log.toString("latin1").replace("Answer", "Answ\xe9r"), "latin1"),
  ],
  [
    "a log that it goes on from and that is gone",
    "chain-broken",
    (log) =>
      Buffer.from(
        log
          .toString()
          .replace(
            '"source":"cli"',
            '"source":"cli","history_mode":"paginated","history_base":{"thread_id":"01a1eec0-0000-7000-8000-000000000001","end_ordinal_exclusive":3,"end_byte_offset":300}',
          ),
      ),
  ],
];

describe("Codex CLI", () => {
  const codes = new Map<string, string[]>();
  beforeAll(async () => {
    for (const [name, , change] of DAMAGES) write(name, change);
    const ids = new Map(DAMAGES.map(([name, , change]) => [write(name, change), name]));
    await source.scan(localFs, home.root, {
      async artifact(artifact) {
        const problems: Problem[] = [];
        const sink = { event: () => undefined, problem: (problem: Problem) => void problems.push(problem) };
        const reading = source.read(localFs, artifact, sink);
        codes.set(ids.get(artifact.id) ?? "", []);
        await reading;
        codes.set(
          ids.get(artifact.id) ?? "",
          problems.map(({ code }) => code),
        );
      },
      problem: () => undefined,
    });
  });

  it.each(DAMAGES)("refuses %s, and we report it as %s", async (name, code) => {
    const id = parseLogName(compose(story(name))[0]?.path ?? "")?.session ?? "";
    const { code: exit, requests } = await codex.resume(home, id, "Go on.");
    expect([exit, requests]).toEqual([1, []]);
    await expect.poll(() => codes.get(name)).toContain(code);
  });

  it("resumes a story by its id, and takes none from the archive", async () => {
    const id = write("archived");
    await codex.run(home, "archive", id);
    expect((await codex.resume(home, id, "Go on.")).requests).toEqual([]);
    await codex.run(home, "unarchive", id);
    const { code, requests } = await codex.resume(home, id, "Go on.");
    expect([code, requests.length]).toEqual([0, 1]);
  });

  it("finds a story by the name that the list of names has", async () => {
    const id = write("named");
    const { session, code } = await codex.resume(home, "The named story", "Go on.");
    expect([code, session]).toEqual([0, id]);
  });
});

it("lists of names are joined", async () => {
  const images = await merge([...compose(story("one")), ...compose(story("two"))]);
  expect(images.map(({ path }) => path.split("/").at(-1)?.slice(0, 8)).sort()).toEqual([
    "rollout-",
    "rollout-",
    "session_",
  ]);
  const [names] = images.filter(({ path }) => path === "session_index.jsonl");
  expect(String(names?.content).trim().split("\n")).toHaveLength(2);
});
