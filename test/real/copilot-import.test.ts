/** Sessions taken elsewhere and back, judged by the real Copilot CLI: bundles, and the transcripts that it imports itself. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { exportBundle } from "../../src/app/export/bundle.ts";
import { type ExportReduction, reduceForExport } from "../../src/app/export/reduced.ts";
import { exportTranscript } from "../../src/app/export/transcript.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { readHead, type SessionEntry } from "../../src/query/heads.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { FIXTURES } from "../contracts/fixtures.ts";
import { hashTail } from "../edit/guard.ts";
import { lookAtAll } from "../edit/home.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { type Editing, openEditing } from "./copilot-editing.ts";
import type { SentMessage } from "./openai.ts";
import { remembered } from "./remembered-runs.ts";
import { scripted } from "./scripted-model.ts";

const LONG = "aaaaaaaa-0000-4000-8000-00000000b001";
const NOW = new Date("2026-11-15T12:00:00.000Z");
let copilot: Copilot;
let editing: Editing;

const folderOf = (id: string): string => join(copilot.home, "session-state", id);
const place = (name: string): string => join(copilot.workspace, "..", name);
const headOf = async (catalog: Catalog, name: string): Promise<SessionEntry> =>
  readHead(catalog, (await resolveSession(catalog, name)).artifact);

/** Files, a failed command, two calls at once, a compaction, then more. */
beforeAll(async () => {
  copilot = await startCopilot();
  const file = join(copilot.workspace, "a.txt");
  const bash = (command: string) => ({ name: "bash", input: { command, description: "try" } });
  const headless = await copilot.headless();
  await headless.create(LONG);
  const create = { name: "create", input: { path: file, file_text: "hello\n" } };
  await headless.say(LONG, scripted('Make a "file"\nand say so', { calls: [create] }, { say: "Made." }));
  await headless.call("session.history.compact", { sessionId: LONG });
  const edit = { name: "edit", input: { path: file, old_str: "not there", new_str: "bye" } };
  const calls = [bash("echo one"), bash("echo two; exit 3"), edit];
  await headless.say(LONG, scripted("Try three", { say: "Trying.", calls }, { say: "Two of them failed." }));
  await headless.close();
  await copilot.prompt(LONG, "A last word, in a new process");
  editing = openEditing(copilot);
});
afterAll(() => copilot.close());

describe("a bundle", () => {
  it("brings a session back to the byte, which the program then resumes", async () => {
    const { catalog, edit, contextOf } = editing;
    const [before, meant] = [lookAtAll(folderOf(LONG)), await contextOf(LONG)];
    const written = statSync(copilot.log(LONG)).mtimeMs;
    const out = place("long.tar.gz");
    const guard = hashTail(catalog, place("rethread"));
    const request = { out, folder: "/", force: false, guard, now: NOW, madeBy: "rethread" };
    const { losses } = await exportBundle(catalog, [await headOf(catalog, LONG)], request);
    expect(losses).toEqual([]);
    rmSync(folderOf(LONG), { recursive: true });
    await edit.apply(await edit.planImport(out, {}));
    // Locks and empty folders are nothing that a session has; times are kept to the fraction that a disk keeps.
    const files = (all: ReturnType<typeof lookAtAll>) =>
      Object.entries(all)
        .filter(([name, look]) => !look.startsWith("folder") && !/\.lock$/.test(name))
        .map(([name, look]) => [name, look.replace(/ \d{13} /, " ")]);
    expect(files(lookAtAll(folderOf(LONG)))).toEqual(files(before));
    expect(Math.abs(statSync(copilot.log(LONG)).mtimeMs - written)).toBeLessThan(1);
    expect(await copilot.resume(LONG)).toMatchObject({ code: 0, messages: meant });
    edit.close();
  });

  it("also comes beside the original, with a new id, name and folder", async () => {
    const { edit, contextOf } = editing;
    mkdirSync(join(copilot.workspace, "other"));
    const request = { newId: true, name: "Taken along", to: "other" };
    const { plan } = await edit.apply(await edit.planImport(place("long.tar.gz"), request));
    const { id } = plan.session;
    expect(await copilot.resume(id)).toMatchObject({ code: 0, messages: await contextOf(LONG) });
    const workspace = parse(readFileSync(join(folderOf(id), "workspace.yaml"), "utf8"));
    expect(workspace).toMatchObject({ id, name: "Taken along", cwd: join(copilot.workspace, "other") });
    await edit.apply(await edit.planUndo());
    expect(existsSync(folderOf(id))).toBe(false);
    edit.close();
  });
});

interface Imported {
  readonly ok: boolean;
  readonly sessionId?: string;
  readonly diagnostics: readonly { readonly line: number; readonly message: string }[];
}

async function importByProgram(file: string, ...more: string[]): Promise<Imported> {
  return JSON.parse((await copilot.run(["sessions", "import", "--output", "json", ...more, file])).stdout);
}

/** What the program says of a transcript without taking it in, which depends on the transcript alone. */
const judgeByProgram = (file: string, ...more: string[]): Promise<Imported> =>
  remembered({
    about: ["copilot sessions import --dry-run", more, readFileSync(file, "latin1")],
    places: {},
    otherPlaces: { base: join(copilot.workspace, "..") },
    drivers: [import.meta.filename, join(import.meta.dirname, "copilot.ts")],
    ask: () => importByProgram(file, "--dry-run", ...more),
  });

async function writeTranscript(
  catalog: Catalog,
  name: string,
  path: string,
  reduction?: ExportReduction,
): Promise<void> {
  const lines: string[] = [];
  const request = {
    format: "copilot",
    redact: false,
    homeDir: "/nowhere",
    ...(reduction && {
      reduce: (from: Catalog, artifact: Artifact) =>
        reduceForExport(from, artifact, reduction, editing.edit.planClone),
    }),
  };
  await exportTranscript(catalog, await headOf(catalog, name), request, (line) => lines.push(line));
  writeFileSync(path, lines.join(""));
}

/** Ids of calls are made up anew by every import. */
function withoutIds(messages: readonly SentMessage[] = []): object[] {
  const names = new Map<string, string>();
  const nameOf = (id = ""): string => names.get(id) ?? names.set(id, `call ${names.size}`).get(id) ?? "";
  return messages.map(({ toolCalls, toolCallId, ...message }) => ({
    ...message,
    ...(toolCalls && { toolCalls: toolCalls.map((call) => ({ ...call, id: nameOf(call.id) })) }),
    ...(toolCallId !== undefined && { toolCallId: nameOf(toolCallId) }),
  }));
}

/** A session without what every import makes up: ids, times of the import, and our better ones. */
function look(id: string): { events: object[]; workspace: object; checkpoints: string } {
  const names = new Map<string, string>();
  const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  const neutral = (text: string): string =>
    text.replaceAll(uuid, (each) => names.get(each) ?? names.set(each, `id ${names.size}`).get(each) ?? "");
  const read = (name: string): string => neutral(readFileSync(join(folderOf(id), name), "utf8"));
  const { updated_at: _, ...workspace } = parse(read("workspace.yaml"));
  const events = read("events.jsonl")
    .trimEnd()
    .split("\n")
    .map((line) => ({ ...JSON.parse(line), timestamp: "" }));
  return { events, workspace, checkpoints: read("checkpoints/index.md") };
}

const TRANSCRIPT = [
  {
    type: "session",
    version: 1,
    externalId: "x-1",
    createdAt: "2026-01-02T03:04:05.000Z",
    title: "From elsewhere: #1",
    source: { application: "another", version: "2" },
    workspace: { repository: { host: "https://github.com", owner: "owner", name: "name" }, branch: "main" },
  },
  message("m1", "user", "look at ", "these"),
  { ...message("m2", "assistant", ""), turnId: "t", model: "a-model" },
  { ...at("c1"), type: "tool-call", name: "bash", arguments: { command: "ls", n: 1.5 }, turnId: "t" },
  { ...at("c2"), type: "tool-call", name: "view", turnId: "t" },
  { ...at("r2"), type: "tool-result", toolCallId: "c2", success: true, turnId: "t" },
  {
    ...at("r1"),
    type: "tool-result",
    toolCallId: "c1",
    success: false,
    content: "half of it",
    error: { message: "no such file", code: "gone" },
    turnId: "t",
  },
  message("m3", "assistant", 'Done: "ü" \u2028 \\ \n and more'),
  {
    ...at("m4"),
    type: "message",
    role: "user",
    content: [
      { type: "attachment", path: "pictures/a.png", mediaType: "image/png" },
      { type: "text", text: "?" },
    ],
  },
];
function at(id: string) {
  return { id, timestamp: "2026-01-02T05:04:06.5+02:00" };
}
function message(id: string, role: string, ...texts: string[]) {
  return { ...at(id), type: "message", role, content: texts.map((text) => ({ type: "text", text })) };
}
const toText = (records: readonly object[]): string =>
  `${records.map((record) => JSON.stringify(record)).join("\n")}\n`;

describe("a transcript of ours", () => {
  it("is imported by the program, whose model then receives what that of the original would", async () => {
    const { catalog, contextOf } = editing;
    const file = place("long.jsonl");
    await writeTranscript(catalog, LONG, file);
    expect(await judgeByProgram(file)).toMatchObject({ ok: true, diagnostics: [] });
    const { sessionId = "" } = await importByProgram(file);
    const { code, messages } = await copilot.resume(sessionId);
    expect({ code, messages: withoutIds(messages) }).toEqual({
      code: 0,
      messages: withoutIds(await contextOf(LONG)),
    });
  });

  it("is found valid by the program as a smaller copy, too", async () => {
    const file = place("smaller.jsonl");
    await writeTranscript(editing.catalog, LONG, file, { tools: { truncate: 5 }, dropOldest: { count: 1 } });
    expect(statSync(file).size).toBeLessThan(statSync(place("long.jsonl")).size);
    expect(await judgeByProgram(file)).toMatchObject({ ok: true, diagnostics: [] });
  });

  it("comes back through us as through the program, event by event, and with its own times", async () => {
    const { edit } = editing;
    const { sessionId = "" } = await importByProgram(place("long.jsonl"));
    const { plan } = await edit.apply(await edit.planImport(place("long.jsonl"), {}));
    expect(look(plan.session.id)).toEqual(look(sessionId));
    const times = (id: string) =>
      readFileSync(copilot.log(id), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).timestamp);
    // When it began is told once more in workspace.yaml, a moment before the first record.
    expect(
      times(plan.session.id)
        .slice(1)
        .filter((time) => !times(LONG).includes(time)),
    ).toEqual([]);
    edit.close();
  });

  const told = FIXTURES.filter(({ name }) =>
    /copilot-cli\/(attachments|everyday|killed|notices)$/.test(name),
  );
  it.each(told.map((fixture) => [fixture.name, fixture] as const))(
    "is found valid by the program: %s",
    async (_, { source, home }) => {
      const only = { ...source, locate: () => [home] };
      const catalog = openCatalog([only], { platform: "linux", homeDir: home, vars: {} }, localFs);
      for (const { id } of (await catalog.scan()).artifacts.slice(0, 1)) {
        const file = place(`${id}.jsonl`);
        const why = await writeTranscript(catalog, id, file).catch((error) => error.code);
        if (why === "unreadable") continue; // nothing in it that a model would receive
        expect(why).toBe(undefined);
        expect(await judgeByProgram(file, "--working-directory", copilot.workspace), id).toMatchObject({
          ok: true,
          diagnostics: [],
        });
      }
    },
  );
});

describe("a transcript of another program", () => {
  it("becomes what the program's own import makes of it", async () => {
    const { edit, contextOf } = editing;
    mkdirSync(place("pictures"));
    writeFileSync(join(place("pictures"), "a.png"), "not really");
    const file = place("other.jsonl");
    writeFileSync(file, toText(TRANSCRIPT));
    const { sessionId = "", ...rest } = await importByProgram(file);
    expect(rest).toMatchObject({ ok: true });
    const { plan } = await edit.apply(await edit.planImport(file, {}));
    const { id } = plan.session;
    expect(look(id)).toEqual(look(sessionId));
    const [ours, theirs] = await Promise.all([copilot.resume(id), copilot.resume(sessionId)]);
    expect(withoutIds(ours.messages)).toEqual(withoutIds(theirs.messages));
    expect(ours.messages).toEqual(await contextOf(id));
    edit.close();
  });

  const [header = {}, ask = {}] = TRANSCRIPT;
  const call = { ...at("c9"), type: "tool-call", name: "bash" };
  const result = { ...at("r9"), type: "tool-result", toolCallId: "c9", success: true };
  const REFUSED: Record<string, readonly object[]> = {
    "no header": [ask],
    "an id twice": [header, ask, ask],
    "a result too late": [
      header,
      ask,
      message("m8", "assistant", "x"),
      call,
      message("m9", "user", "y"),
      result,
    ],
    "a failure without an error": [
      header,
      message("m8", "assistant", "x"),
      call,
      { ...result, success: false },
    ],
    "a success with an error": [
      header,
      message("m8", "assistant", "x"),
      call,
      { ...result, error: { message: "e" } },
    ],
    "a title with quotes": [{ ...header, title: 'a "b"' }, ask],
    "a foreign host": [
      { ...header, workspace: { repository: { host: "x.org", owner: "o", name: "n" } } },
      ask,
    ],
    "an attachment elsewhere": [
      header,
      { ...ask, content: [{ type: "attachment", path: "../x", mediaType: "text/plain" }] },
    ],
  };
  it("is refused where the program refuses it, for the same lines", async () => {
    for (const [name, records] of Object.entries(REFUSED)) {
      const file = place("refused.jsonl");
      writeFileSync(file, toText(records));
      const { ok, diagnostics } = await judgeByProgram(file);
      expect(ok, name).toBe(false);
      const failure = await editing.edit.planImport(file, {}).then(
        () => ({ code: "none", message: "" }),
        (error) => error,
      );
      // Without a header it is nothing that we would know.
      expect(failure.code, name).toBe(name === "no header" ? "bundle-unknown" : "transcript-invalid");
      if (name === "no header") continue;
      for (const { line } of diagnostics) expect(failure.message, name).toContain(`line ${line}: `);
    }
  });
});
