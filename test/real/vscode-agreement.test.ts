/** Our reader and VS Code's own loader look at the same files and must come to the same conclusions. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { countsAgainst, type Problem } from "../../src/model/problem.ts";
import type { Artifact, Event, Session } from "../../src/model/session/session.ts";
import { toTurns } from "../../src/model/session/turns.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import vscode from "../../src/sources/vscode/index.ts";
import { isSound, type JudgedSession, judgeWorkspace } from "./vscode-judge.ts";
import {
  type Build,
  entry,
  type Json,
  lines,
  markdown,
  session,
  turn,
  without,
  writeWorkspace,
} from "./vscode-templates.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "rethread-vscode-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const ID = "11111111-2222-4333-8444-555555555555";
const hello = (more: Json = {}): Json => turn(1, "hello", [markdown("world")], more);
const good = (more: Json = {}): Json => session(ID, [hello()], more);
const json = (value: unknown): Build => ({ json: JSON.stringify(value) });
const log = (...records: unknown[]): Build => ({ jsonl: lines(...records) });
const initial = (v: unknown): Json => ({ kind: 0, v });
const push = (v: unknown[], i?: number): Json => ({
  kind: 2,
  k: ["requests"],
  v,
  ...(i !== undefined && { i }),
});
const withPart = (part: unknown): Build =>
  json(session(ID, [hello({ message: { text: "hello", parts: [part] } })]));

/** Files that VS Code opens whole and could save again. */
const ACCEPTED: Record<string, Build> = {
  "a document of version 3": json(good()),
  "a document over many lines": { json: JSON.stringify(good(), null, 2) },
  "a document of version 2": json({ ...without(good(), "customTitle"), version: 2, computedTitle: "T" }),
  "a document of version 1": json(without(good(), "version", "customTitle")),
  "a log of one record": log(initial(good())),
  "a log with all four kinds": log(
    initial(session(ID, [])),
    push([turn(1, "a", [markdown("x")]), turn(2, "b", [markdown("y")])]),
    push([], 1),
    { kind: 1, k: ["requests", 0, "response", 0], v: markdown("world") },
    { kind: 3, k: ["customTitle"] },
  ),
  "a log that begins anew": log(initial(session(ID, [turn(1, "a", [])])), initial(good())),
  "a log whose answer is rewritten from a position": log(
    initial(good()),
    { kind: 2, k: ["requests", 0, "response"], v: [markdown("one"), markdown(" two")], i: 0 },
    { kind: 2, k: ["requests", 0, "response"], v: [markdown(" three")], i: 1 },
  ),
  "a log whose turn is replaced": log(initial(good()), {
    kind: 1,
    k: ["requests", 0],
    v: turn(2, "other", []),
  }),
  "a log whose turn is set behind the last": log(initial(good()), {
    kind: 1,
    k: ["requests", 1],
    v: turn(2, "next", [markdown("yes")]),
  }),
  "a log with empty lines and carriage returns": {
    jsonl: `${JSON.stringify(initial(good()))}\r\n\n${JSON.stringify(push([turn(2, "b", [])]))}\n`,
  },
  "a change with an empty path": log(initial(good()), { kind: 1, k: [], v: 1 }),
  "a change of something unknown": log(initial(good()), { kind: 1, k: ["somethingNew"], v: { a: 1 } }),
  // VS Code goes by the name of the file.
  "a document that names another session": json(good({ sessionId: "22222222-2222-4333-8444-555555555555" })),
  "a log that names another session": log(
    initial(good({ sessionId: "22222222-2222-4333-8444-555555555555" })),
  ),
  "a log beside a broken document": { ...log(initial(good())), json: '{"broken' },
  "unknown fields and parts": json(
    session(ID, [turn(1, "hello", [{ kind: "somethingNew", x: 1 }, markdown("world")], { bar: {} })], {
      foo: 1,
    }),
  ),
  "plain strings for message and answer": json(
    session(ID, [hello({ message: "hello", response: ["world"] })]),
  ),
  "an answer that is one string": json(session(ID, [hello({ response: "world" })])),
  "a plain message in the finished turn of a log": log(initial(session(ID, [hello({ message: "hello" })]))),
  "a turn without attachments": json(session(ID, [without(hello(), "variableData")])),
  "a turn without an answer": json(
    session(ID, [without(hello(), "response", "result", "responseId", "modelState")]),
  ),
  "an answer with links inside": json(
    session(ID, [
      hello({
        response: [
          markdown("See "),
          { kind: "inlineReference", inlineReference: { $mid: 1, path: "/srv/app/a.ts", scheme: "file" } },
          markdown(" and "),
          {
            kind: "inlineReference",
            inlineReference: {
              name: "main",
              location: { uri: { $mid: 1, path: "/srv/app/b.ts", scheme: "file" }, range: {} },
            },
          },
          markdown("."),
        ],
      }),
    ]),
  ),
  "a message with a command and a file in it": json(
    session(ID, [
      hello({
        message: {
          text: "/fix #a.ts",
          parts: [
            { kind: "slash", range: { start: 0, endExclusive: 4 }, slashCommand: { command: "fix" } },
            { kind: "dynamic", range: { start: 5, endExclusive: 10 }, text: "#a.ts", id: "file", data: [] },
          ],
        },
      }),
    ]),
  ),
  "a context that is well formed": json(
    session(ID, [
      hello({
        usedContext: {
          documents: [{ uri: { $mid: 1, path: "/a", scheme: "file" }, version: 1, ranges: [] }],
          kind: "usedContext",
        },
      }),
    ]),
  ),
  "an undone turn": json(
    session(ID, [hello(), turn(2, "b", [], { shouldBeRemovedOnSend: { requestId: "r" } })]),
  ),
  "a cancelled turn": json(session(ID, [hello({ modelState: { value: 2, completedAt: 1 } })])),
  "a draft with its mode": log(
    initial(good({ inputState: { mode: { id: "agent", kind: "agent" }, attachments: [] } })),
  ),
  "a session of the former editing panel": json(good({ initialLocation: "editing-session" })),
  "no creation date": json(without(good(), "creationDate")),
};

/** Files that VS Code refuses, empties, or cannot save again. */
const REFUSED: Record<string, Build> = {
  "a torn document": { json: JSON.stringify(good()).slice(0, -20) },
  "an empty document": { json: "" },
  "an empty log": { jsonl: "" },
  "a document that is no object": { json: "[1,2]" },
  "a document after a byte order mark": { json: `\ufeff${JSON.stringify(good())}` },
  "a log after a byte order mark": { jsonl: `\ufeff${lines(initial(good()))}` },
  "a log torn in its last line": { jsonl: `${lines(initial(good()))}{"kind":1,"k":["customTi` },
  "a log torn in its only line": { jsonl: JSON.stringify(initial(good())).slice(0, -30) },
  "a log with a garbage line": { jsonl: `${lines(initial(good()))}%%%\n${lines(push([turn(2, "b", [])]))}` },
  "a log with a line of spaces": { jsonl: `${lines(initial(good()))}  \n` },
  "a log with NUL bytes at its end": { jsonl: `${lines(initial(good()))}\0\0\0\0` },
  "a log without its first record": log(push([hello()])),
  "a record of an unknown kind": log(initial(good()), { kind: 9, k: ["x"] }),
  "a record without a path": log(initial(good()), { kind: 1, v: 1 }),
  "a path into nothing": log(initial(good()), { kind: 1, k: ["requests", 7, "vote"], v: 1 }),
  "a path through a text": log(initial(good()), { kind: 1, k: ["customTitle", "a", "b"], v: 1 }),
  "a push to something that is no list": log(initial(good()), { kind: 2, k: ["customTitle"], v: [1] }),
  "a turn set beyond the end": log(initial(good()), { kind: 1, k: ["requests", 5], v: hello() }),
  "a deleted turn": log(initial(good()), { kind: 3, k: ["requests", 0] }),
  "a broken log that hides a good document": { jsonl: "nonsense\n", ...json(good()) },
  "a log whose last line is not ended": { jsonl: JSON.stringify(initial(good())) },
  "no list of turns": json(without(good(), "requests")),
  "a turn without a message": json(session(ID, [without(hello(), "message")])),
  "one bad turn among good ones": json(session(ID, [hello(), without(turn(2, "b", []), "message")])),
  "a message without parts": json(session(ID, [hello({ message: { text: "hello" } })])),
  "a message part of an unknown kind": withPart({ kind: "file", range: { start: 0, endExclusive: 1 } }),
  "a message part without a range": withPart({ kind: "text", text: "hello" }),
  "a message part that ends before it begins": withPart({
    kind: "text",
    range: { start: 4, endExclusive: 1 },
  }),
  "a message part that is null": withPart(null),
  "a message that names no participant": withPart({ kind: "agent", range: { start: 0, endExclusive: 1 } }),
  "a null turn": json(session(ID, [null])),
  "a null attachment": json(session(ID, [hello({ variableData: { variables: [null] } })])),
  "a null answer": json(session(ID, [hello({ response: null })])),
  "a null part in an answer": json(session(ID, [hello({ response: [null] })])),
  "a number as a part of an answer": json(session(ID, [hello({ response: [7] })])),
  "a participant that is a number": json(session(ID, [hello({ agent: 7 })])),
  "proposals that are no list": json(session(ID, [hello({ followups: 7 })])),
  "a null reference": json(session(ID, [hello({ contentReferences: [null] })])),
  "file events that are no list": json(session(ID, [hello({ editedFileEvents: "text" })])),
  "attachments of a draft that are no list": json(good({ inputState: { mode: {}, attachments: 7 } })),
  "a draft that is a text": log(initial(good({ inputState: "text" }))),
  "a context whose file is no URI": json(
    session(ID, [hello({ usedContext: { documents: [{ uri: { path: "/a" }, version: 1, ranges: [] }] } })]),
  ),
  "references that are no list": json(session(ID, [hello({ contentReferences: {} })])),
  "a context that is malformed": json(session(ID, [hello({ usedContext: { documents: [{}] } })])),
  "a plain message in an unfinished turn of a log": log(
    initial(session(ID, [without({ ...hello(), message: "hello" }, "modelState")])),
  ),
  "a draft without a mode": log(initial(good({ inputState: {} }))),
  "no name of who answers": json(without(good(), "responderUsername")),
  "a creation date that is text": json(good({ creationDate: "2026-01-01" })),
  "a session of another place": json(good({ initialLocation: "terminal" })),
  "a session id that is a number": json(good({ sessionId: 7 })),
};

interface Seen {
  readonly session: Session;
  readonly events: readonly Event[];
  readonly problems: readonly Problem[];
  readonly scan: readonly Problem[];
}

let count = 0;
async function both(
  build: Build,
): Promise<{ judged: JudgedSession; seen: Seen | undefined; indexAccepted: boolean }> {
  const home = join(root, String(count++));
  const folder = join(home, "workspaceStorage", "0123456789abcdef0123456789abcdef");
  writeWorkspace(folder, ID, build);
  const { sessions, indexAccepted } = await judgeWorkspace(folder);
  const judged = sessions.find(({ id }) => id === ID) as JudgedSession;
  const artifacts: Artifact[] = [];
  const scan: Problem[] = [];
  await vscode.scan(localFs, home, {
    artifact: (artifact) => void artifacts.push(artifact),
    problem: (problem) => void scan.push(problem),
  });
  const [artifact] = artifacts;
  if (!artifact) return { judged, seen: undefined, indexAccepted };
  const events: Event[] = [];
  const problems: Problem[] = [];
  const session = await vscode.read(localFs, artifact, {
    event: (event) => void events.push(event),
    problem: (problem) => void problems.push(problem),
  });
  return { judged, seen: { session, events, problems, scan }, indexAccepted };
}

const squeeze = (text: string): string => text.replace(/\s+/g, " ").trim();

describe("what VS Code accepts", () => {
  it.each(Object.entries(ACCEPTED))("%s is read the same, without a problem", async (_name, build) => {
    const { judged, seen } = await both(build);
    expect(isSound(judged), JSON.stringify(judged)).toBe(true);
    expect(judged.listed).toBe(true);
    expect(seen?.problems.filter(countsAgainst)).toEqual([]);
    expect(
      toTurns(seen?.events ?? []).map(({ user, assistant }) => ({ user, assistant: squeeze(assistant) })),
    ).toEqual(judged.turns?.map(({ user, assistant }) => ({ user, assistant: squeeze(assistant) })));
  });
});

it("a document of a version to come is read as this VS Code reads it, and reported as newer", async () => {
  const { judged, seen } = await both(json(good({ version: 4 })));
  expect(isSound(judged), JSON.stringify(judged)).toBe(true);
  expect(seen?.problems.filter(countsAgainst).map(({ code }) => code)).toEqual(["format-newer"]);
  expect(toTurns(seen?.events ?? []).map(({ user }) => user)).toEqual(judged.turns?.map(({ user }) => user));
});

describe("what VS Code refuses, loses or cannot save", () => {
  it.each(Object.entries(REFUSED))("%s is reported", async (_name, build) => {
    const { judged, seen } = await both(build);
    expect(isSound(judged), JSON.stringify(judged)).toBe(false);
    expect(seen?.problems.filter(countsAgainst)).not.toEqual([]);
  });
});

describe("VS Code's list of sessions", () => {
  const listed = json(good());
  it.each<[string, Build, boolean, boolean, string[]]>([
    ["a good entry", listed, true, true, []],
    ["no entry", { ...listed, index: { version: 1, entries: {} } }, true, false, ["session-orphaned"]],
    [
      "an entry of another place",
      { ...listed, index: { version: 1, entries: { [ID]: entry(ID, { initialLocation: "editor" }) } } },
      true,
      false,
      ["session-hidden"],
    ],
    [
      "an entry marked as empty",
      { ...listed, index: { version: 1, entries: { [ID]: entry(ID, { isEmpty: true }) } } },
      true,
      false,
      ["session-hidden"],
    ],
    [
      "one entry without a title",
      {
        ...listed,
        index: { version: 1, entries: { [ID]: entry(ID), other: without(entry("other"), "title") } },
      },
      false,
      false,
      ["index-unreadable"],
    ],
    [
      "another version",
      { ...listed, index: { version: 2, entries: { [ID]: entry(ID) } } },
      false,
      false,
      ["format-newer"],
    ],
    ["broken JSON", { ...listed, index: '{"version":1,' }, false, false, ["index-unreadable"]],
  ])("%s", async (_name, build, accepted, isListed, codes) => {
    const { judged, seen, indexAccepted } = await both(build);
    expect({ indexAccepted, listed: judged.listed }).toEqual({ indexAccepted: accepted, listed: isListed });
    expect(seen?.scan.map((problem) => problem.code)).toEqual(codes);
  });

  it("an entry without a file is listed, but opens nothing", async () => {
    const { judged, seen } = await both({});
    expect(judged).toMatchObject({ listed: true });
    expect(judged.turns).toBeUndefined();
    expect(seen).toBeUndefined();
  });
});
