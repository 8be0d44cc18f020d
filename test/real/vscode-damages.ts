/** What may be wrong with a chat of VS Code, or with the list of them. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { uri } from "./vscode-corpus-turns.ts";
import {
  type Damage,
  DOCUMENT,
  entries,
  ID,
  IDS,
  LOG,
  PROMPTS,
  type Store,
  turns,
} from "./vscode-damaged-store.ts";
import { entry, type Json, lines, session } from "./vscode-templates.ts";

/** The log with a change to its text. */
const log = (change: (text: string) => string, more: Omit<Damage, "does"> = {}): Damage => ({
  ...more,
  does: (store) => store.write(LOG, change(store.log)),
});
/** A document in place of the log. */
const document = (
  change: (text: string) => string | Uint8Array,
  more: Omit<Damage, "does"> = {},
): Damage => ({
  ...more,
  does(store) {
    rmSync(store.file(LOG));
    store.write(DOCUMENT, change(JSON.stringify(session(ID, turns()))));
  },
});
/** Its second turn with a change to what it holds. */
const spoiled = (more: Json): Damage => ({
  does(store) {
    const [first, second, third] = turns();
    store.write(LOG, lines({ kind: 0, v: session(ID, [first, { ...second, ...more }, third]) }));
  },
});
const head = (more: Json): Damage => ({
  does: (store) => store.write(LOG, lines({ kind: 0, v: { ...session(ID, turns()), ...more } })),
});
const list = (value: Json | string | undefined, more: Omit<Damage, "does"> = {}): Damage => ({
  ...more,
  does: (store) => store.index(value),
});
const line = (text: string, number: number): string => text.split("\n")[number] ?? "";
const part = (kind: string, more: Json = {}): Json => ({
  kind,
  text: "x",
  range: { start: 0, endExclusive: 1 },
  ...more,
});
const said = (parts: unknown): Json => ({ message: { text: PROMPTS[1], parts } });

const TRANSCRIPT = lines(
  {
    type: "session.start",
    data: { sessionId: ID, copilotVersion: "0.67.0" },
    timestamp: "2026-06-01T10:00:00.000Z",
  },
  ...PROMPTS.flatMap((content, at) => [
    { type: "user.message", data: { content }, timestamp: `2026-06-01T10:0${at}:00.000Z` },
    {
      type: "assistant.message",
      data: {
        content: `Step ${at}.`,
        reasoningText: "Hm.",
        toolRequests: [
          { toolCallId: `call_${at}`, name: "read_file", arguments: '{"filePath":"/srv/a.ts"}' },
        ],
      },
      timestamp: `2026-06-01T10:0${at}:10.000Z`,
    },
    {
      type: "tool.execution_complete",
      data: { toolCallId: `call_${at}`, success: true, result: { content: "x" } },
      timestamp: `2026-06-01T10:0${at}:20.000Z`,
    },
    { type: "assistant.message", data: { content: "Done." }, timestamp: `2026-06-01T10:0${at}:30.000Z` },
  ]),
);
const withTranscript = (store: Store): void => {
  const folder = join(store.folder, "GitHub.copilot-chat", "transcripts");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, LOG), TRANSCRIPT);
};

export const DAMAGES: Readonly<Record<string, Damage>> = {
  // The log
  "a torn last line": log((text) => text.slice(0, -9)),
  "a last turn that was not written to its end": log(
    (text) => text.slice(0, text.lastIndexOf("Last question") + 300),
    { left: [0, 1] },
  ),
  "no last line feed": log((text) => text.trimEnd(), {}),
  "no initial record": log((text) => text.slice(text.indexOf("\n") + 1)),
  "a byte order mark": log((text) => `\ufeff${text}`),
  "NULs at the end": log((text) => `${text}${"\0".repeat(500)}`),
  "NULs in place of a turn": log((text) => text.replace(line(text, 2), "\0".repeat(300)), { left: [0, 2] }),
  "a line that is no JSON": log((text) => text.replace(line(text, 3), "garbage"), { left: [0, 1] }),
  "a line of spaces": log((text) => text.replace("\n", "\n  \n")),
  "a record of no kind": log((text) => `${text}{"kind":"9","k":["x"],"v":1}\n`),
  "a path through what is missing": log((text) => `${text}{"kind":1,"k":["requests",7,"vote"],"v":1}\n`),
  "a push to what is no list": log((text) => `${text}{"kind":2,"k":["customTitle"],"v":["x"]}\n`),
  "two records on one line": log(
    (text) => text.replace('\n{"kind":1,"k":["customTitle"]', '{"kind":1,"k":["customTitle"]'),
    { left: [0, 1] },
  ),
  "a record that is torn apart by a line feed": log((text) => text.replace("Größere", "Gr\nößere"), {
    left: [0, 2],
  }),
  "a single record that was not written to its end": {
    does(store) {
      const text = lines({ kind: 0, v: session(ID, turns()) });
      store.write(LOG, text.slice(0, text.lastIndexOf('"modelState"')));
    },
  },
  "an empty file": { ...log(() => "", { left: null }) },
  "nothing but NULs": { ...log((text) => "\0".repeat(text.length), { left: null }) },

  // Turns
  "a part of a prompt that is a file": spoiled(said([part("file")])),
  "a part of a prompt that is a selection": spoiled(said([part("text"), part("selection")])),
  "a part of a prompt without a range": spoiled(said([part("text", { range: undefined })])),
  "a prompt without parts": spoiled(said(undefined)),
  "a plain prompt in an unfinished turn": spoiled({ message: PROMPTS[1], modelState: undefined }),
  "a prompt that is missing": spoiled({ message: undefined }),
  "null among the attachments": spoiled({ variableData: { variables: [null] } }),
  "null for an answer": spoiled({ response: null }),
  "null in an answer": spoiled({ response: [{ value: "Done." }, null] }),
  "a link that leads nowhere": spoiled({
    response: [{ kind: "inlineReference", inlineReference: {}, name: "a.ts" }],
  }),
  "follow-ups that are no list": spoiled({ followups: { a: 1 } }),
  "null among the references": spoiled({ contentReferences: [null] }),
  "a used context without documents": spoiled({ usedContext: { kind: "usedContext" } }),
  "null in place of a turn": {
    left: [0, 2],
    does(store) {
      const [first, , third] = turns();
      store.write(LOG, lines({ kind: 0, v: session(ID, [first, null, third]) }));
    },
  },

  // The head
  "no name of who answers": head({ responderUsername: undefined }),
  "a date that is text": head({ creationDate: "2026-06-01" }),
  "an id that is a number": head({ sessionId: 7 }),
  "a place that is not the chat panel": head({ initialLocation: "terminal" }),
  "a draft without a mode": head({ inputState: { attachments: [], inputText: "x" } }),
  "a draft with a bad attachment": head({ inputState: { mode: { id: "agent" }, attachments: [null] } }),

  // Documents
  "a document that was not written to its end": document(
    (text) => text.slice(0, text.indexOf("Last question") - 40),
    { left: [0, 1] },
  ),
  "a document with a byte order mark": document((text) => `\ufeff${text}`),
  "a document without turns": document((text) => text.replace('"requests"', '"request"'), { left: null }),
  "a document with a NUL in a turn": document((text) => text.replace("Größere", "Gr\0ßere"), {}),

  // Emptied, gone, hidden
  "all turns removed from the log": log((text) => `${text}{"kind":2,"k":["requests"],"i":0}\n`, {
    isTolerated: true,
  }),
  "a log that was emptied, with a transcript": {
    isTolerated: true,
    does(store) {
      store.write(LOG, lines({ kind: 0, v: session(ID, []) }));
      withTranscript(store);
    },
  },
  "a log that was emptied, with an editing session": {
    isTolerated: true,
    prompts: ["[The text of this turn is lost]", "[The text of this turn is lost]"],
    does(store) {
      store.write(LOG, lines({ kind: 0, v: session(ID, []) }));
      const folder = join(store.folder, "chatEditingSessions", ID);
      const operations = ["request_1", "request_2"].map((requestId) => ({
        type: "create",
        requestId,
        uri: uri("/srv/a.ts"),
        initialContent: "a\n",
      }));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "state.json"), JSON.stringify({ version: 2, timeline: { operations } }));
    },
  },
  "an empty file, with a transcript": {
    does(store) {
      store.write(LOG, "");
      withTranscript(store);
    },
  },
  "a file that is gone, with a transcript": {
    does(store) {
      rmSync(store.file(LOG));
      withTranscript(store);
    },
  },
  "a file that is gone": { left: null, does: (store) => rmSync(store.file(LOG)) },
  "a broken log that hides a good document": {
    does(store) {
      store.write(DOCUMENT, JSON.stringify(session(ID, turns())));
      store.write(LOG, "garbage\n");
    },
  },
  "a broken log that hides a torn document": {
    left: [0, 1],
    does(store) {
      const text = JSON.stringify(session(ID, turns()));
      store.write(DOCUMENT, text.slice(0, text.indexOf("Last question") - 40));
      store.write(LOG, "\0\0\0\n");
    },
  },
  "a log under the name of a document": {
    does(store) {
      rmSync(store.file(LOG));
      store.write(DOCUMENT, store.log);
    },
  },
  "a document under the name of a log": log(() => JSON.stringify(session(ID, turns()), null, 2)),
  "a torn log that tells less than the document beside it": {
    does(store) {
      store.write(DOCUMENT, JSON.stringify(session(ID, turns())));
      store.write(LOG, store.log.slice(0, store.log.indexOf("Größere") + 90));
    },
  },

  // The list
  "a list without the chat": list({
    version: 1,
    entries: { [IDS[0]]: entry(IDS[0]), [IDS[2]]: entry(IDS[2]) },
  }),
  "no list": list(undefined),
  "a list that is no JSON": list("not a list"),
  "a list that was not written to its end": list(
    JSON.stringify({ version: 1, entries: entries() }).slice(0, -60),
  ),
  "a list of a version that never was": list({ version: 0, entries: entries() }),
  "a list without entries": list({ version: 1 }),
  "a list with an entry without a title": list({
    version: 1,
    entries: { ...entries(), [ID]: { ...entry(ID), title: undefined } },
  }),
  "a list with an entry that is null": list(
    JSON.stringify({ version: 1, entries: { ...entries(), [ID]: null } }),
  ),
  "a list with an entry without a date": list({
    version: 1,
    entries: { ...entries(), x: { sessionId: "x", title: "x" } },
  }),
  "a chat that the list takes for empty": list({
    version: 1,
    entries: { ...entries(), [ID]: entry(ID, { isEmpty: true }) },
  }),
  "a chat without a place in the list": list({
    version: 1,
    entries: { ...entries(), [ID]: entry(ID, { initialLocation: undefined }) },
  }),
  "a database that is gone": { does: (store) => rmSync(join(store.folder, "state.vscdb")) },
  "a database that is none": {
    isTolerated: true,
    does: (store) => writeFileSync(join(store.folder, "state.vscdb"), "garbage"),
  },
  "a database without content": {
    isTolerated: true,
    does: (store) => writeFileSync(join(store.folder, "state.vscdb"), ""),
  },
  "a database that is none, with VS Code's copy of it": {
    isTolerated: true,
    does(store) {
      const path = join(store.folder, "state.vscdb");
      renameSync(path, `${path}.backup`);
      writeFileSync(path, "\0".repeat(8192));
    },
  },
  "a damaged chat and a damaged list": {
    left: [0, 1],
    does(store) {
      store.write(LOG, store.log.replace(line(store.log, 3), "garbage"));
      store.index("{");
    },
  },
};
