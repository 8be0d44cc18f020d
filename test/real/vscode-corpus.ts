/**
 * Made-up chats, each with something that a writer can get wrong, put into stores of VS Code in the three forms they
 * come in. VS Code finds every one of them sound, so whatever is made of them must be sound as well.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import { ANSWER_CHATS } from "./vscode-corpus-answers.ts";
import { OLD_CHATS, WHOLE_CHATS } from "./vscode-corpus-chats.ts";
import { PROMPT_CHATS } from "./vscode-corpus-prompts.ts";
import { TOOL_CHATS } from "./vscode-corpus-tools.ts";
import { agentTurn } from "./vscode-corpus-turns.ts";
import { INDEX_KEY } from "./vscode-judge.ts";
import { saveAsVsCode } from "./vscode-saved.ts";
import { entry, type Json, lines, session } from "./vscode-templates.ts";

export interface Chat {
  readonly turns: readonly Json[];
  /** Fields of the session beside its turns; undefined takes one away. */
  readonly more?: Json;
}

/** A document, a log as a tool would write it, and a log as VS Code's own saving made it grow. */
export type Form = "document" | "log" | "saved";

/** Those that every form can hold. */
export const CHATS: Readonly<Record<string, Chat>> = {
  ...WHOLE_CHATS,
  ...PROMPT_CHATS,
  ...ANSWER_CHATS,
  ...TOOL_CHATS,
};

/** All that a store of this form may hold. */
export const chatsOf = (form: Form): Readonly<Record<string, Chat>> =>
  form === "document" ? { ...CHATS, ...OLD_CHATS } : CHATS;

/** What a large chat has; with RETHREAD_FULL=1 as much as anybody will. Lines are longer than what is read at once in both. */
const isThorough = process.env.RETHREAD_FULL !== undefined;
export const LONG_TURNS = isThorough ? 2000 : 500;
export const LARGE_MB = isThorough ? 50 : 10;

/** Large ones, to be asked for where they are wanted. */
export const longChat = (turns = LONG_TURNS): Chat => ({
  turns: Array.from({ length: turns }, (_, i) =>
    agentTurn(i + 1, `Question ${i + 1}`, [`Step ${i + 1}.`, { name: "read_file", result: "x" }, "Done."]),
  ),
});
export function largeChat(bytes = LARGE_MB << 20): Chat {
  const output = "The quick brown fox jumps over the lazy dog. ".repeat(2300); // about 100 kB
  const turns = Math.ceil(bytes / (output.length + 2200));
  return {
    turns: Array.from({ length: turns }, (_, i) =>
      agentTurn(i + 1, `Read file ${i + 1}`, [
        { name: "read_file", input: { filePath: `/srv/app/${i}.txt` }, result: `${i} ${output}` },
        `File ${i + 1} is about a fox.`,
      ]),
    ),
  };
}

export interface CorpusStore {
  readonly form: Form;
  /** The folder of the workspace, below `workspaceStorage`. */
  readonly folder: string;
  /** Name of the chat -> id of the session. */
  readonly sessions: ReadonlyMap<string, string>;
}

/** Writes one store below a `User` folder, for a workspace that is named after the form; all its chats are listed. */
export async function writeStore(
  user: string,
  form: Form,
  chats: Readonly<Record<string, Chat>> = chatsOf(form),
): Promise<CorpusStore> {
  const workspace = `/srv/${form}`;
  const folder = join(user, "workspaceStorage", createHash("md5").update(workspace).digest("hex"));
  mkdirSync(join(folder, "chatSessions"), { recursive: true });
  writeFileSync(join(folder, "workspace.json"), JSON.stringify({ folder: `file://${workspace}` }));
  const sessions = new Map<string, string>();
  const entries: Json = {};
  for (const [name, { turns, more }] of Object.entries(chats)) {
    const id = toId(form, sessions.size + 1);
    const value = withOwnIds(id, session(id, [...turns], { customTitle: name, ...more }));
    const file = join(folder, "chatSessions", `${id}.${form === "document" ? "json" : "jsonl"}`);
    writeFileSync(file, await toBytes(form, id, value));
    entries[id] = entry(id, { title: name });
    sessions.set(name, id);
  }
  const index = JSON.stringify({ version: 1, entries });
  writeFileSync(join(folder, "state.vscdb"), toKeyValueDb("ItemTable", { [INDEX_KEY]: index }));
  return { form, folder, sessions };
}

const FORMS: readonly Form[] = ["document", "log", "saved"];

const toId = (form: Form, number: number): string =>
  `${number.toString(16).padStart(8, "0")}-000${FORMS.indexOf(form)}-4000-8000-0123456789ab`;

/** `request_1` and the like stand for ids that no other session has: VS Code takes equal ones for the same turn. */
function withOwnIds(id: string, value: Json): Json {
  const text = JSON.stringify(value).replaceAll(
    /"(request_|response_|answer_)(\d+)"/g,
    (_, kind: string, number: string) =>
      `"${kind === "answer_" ? "" : kind}${id.slice(0, 24)}${number.padStart(12, "0")}"`,
  );
  return JSON.parse(text);
}

async function toBytes(form: Form, id: string, value: Json): Promise<string | Uint8Array> {
  if (form === "document") return JSON.stringify(value);
  return form === "saved" ? saveAsVsCode(id, value) : toLog(value);
}

/** The turns come one after another, and the title last. */
function toLog({ requests, customTitle, ...head }: Json): string {
  return lines(
    { kind: 0, v: { ...head, requests: [] } },
    ...(requests as Json[]).map((each) => ({ kind: 2, k: ["requests"], v: [each] })),
    ...(customTitle === undefined ? [] : [{ kind: 1, k: ["customTitle"], v: customTitle }]),
  );
}
