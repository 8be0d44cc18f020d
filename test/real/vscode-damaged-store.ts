/** A sound store of VS Code with three chats, to be damaged, and what must be left of the one that is. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import { agentTurn } from "./vscode-corpus-turns.ts";
import { INDEX_KEY } from "./vscode-judge.ts";
import { entry, type Json, lines, session } from "./vscode-templates.ts";

export const IDS = ["a", "b", "c"].map((letter) => `${letter.repeat(8)}-0000-4000-8000-0123456789ab`) as [
  string,
  string,
  string,
];
/** The one that is damaged. */
export const [, ID] = IDS;
export const PROMPTS = ["First question", "Größere Frage 🙂", "Last question"];

export const turns = (): Json[] =>
  PROMPTS.map((prompt, at) =>
    agentTurn(at + 1, prompt, [
      { think: "Hm." },
      `Step ${at}.`,
      { name: "read_file", input: { filePath: "/srv/a.ts" }, result: "x".repeat(200) },
      "Done.",
    ]),
  );

export interface Store {
  readonly folder: string;
  file(name: string): string;
  /** The damaged chat, as it is before. */
  readonly log: string;
  write(name: string, content: string | Uint8Array): void;
  index(value: Json | string | undefined): void;
}

export interface Damage {
  /** Prompts that are there afterwards, by number; all of them where nothing is told. Nothing is left where it is null. */
  readonly left?: readonly number[] | null;
  /** What stands in place of the prompts. */
  readonly prompts?: readonly string[];
  /** VS Code is content before, or cannot be asked. */
  readonly isTolerated?: boolean;
  does(store: Store): void;
}

export const entries = (): Record<string, Json> => Object.fromEntries(IDS.map((id) => [id, entry(id)]));

export function writeSoundStore(folder: string): Store {
  const chats = join(folder, "chatSessions");
  mkdirSync(chats, { recursive: true });
  writeFileSync(join(folder, "workspace.json"), JSON.stringify({ folder: "file:///srv/shop" }));
  const store: Store = {
    folder,
    file: (name) => join(chats, name),
    log: toLog(session(ID, turns())),
    write: (name, content) => writeFileSync(join(chats, name), content),
    index(value) {
      const text = typeof value === "object" ? JSON.stringify(value) : value;
      const rows = { "memento/other": "kept", ...(text !== undefined && { [INDEX_KEY]: text }) };
      writeFileSync(join(folder, "state.vscdb"), toKeyValueDb("ItemTable", rows));
    },
  };
  for (const id of IDS) store.write(`${id}.jsonl`, toLog(session(id, turns())));
  store.index({ version: 1, entries: entries() });
  return store;
}

/** As a tool would write it: the turns one after another, and the title last. */
function toLog({ requests, customTitle, ...head }: Json): string {
  return lines(
    { kind: 0, v: { ...head, requests: [] } },
    ...(requests as Json[]).map((each) => ({ kind: 2, k: ["requests"], v: [each] })),
    { kind: 1, k: ["customTitle"], v: customTitle },
  );
}

export const LOG = `${ID}.jsonl`;
export const DOCUMENT = `${ID}.json`;

export const promptsLeft = ({ left, prompts }: Damage): readonly string[] =>
  prompts ?? (left === undefined ? [0, 1, 2] : (left ?? [])).map((at) => PROMPTS[at] ?? "");

/** Bytes of its log cut out, overwritten or put in, the same for the same seed. */
export function garble(store: Store, seed: number): void {
  let state = seed + 1;
  const random = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
  let bytes = Buffer.from(store.log);
  for (let times = 1 + random(3); times > 0; times--) {
    const at = random(bytes.length);
    const length = 1 + random(random(2) === 0 ? 8 : 900);
    const junk = Buffer.from(
      ["\0".repeat(length), "}", '"', "\n", '{"kind":0}\n', "\ufeff"][random(6)] ?? "",
    );
    const end = random(3) === 0 ? at : at + length;
    bytes = Buffer.concat([
      bytes.subarray(0, at),
      random(2) === 0 ? junk : Buffer.alloc(0),
      bytes.subarray(end),
    ]);
  }
  store.write(LOG, bytes);
}
