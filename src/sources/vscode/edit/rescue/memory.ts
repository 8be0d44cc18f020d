/** Finds other records of a chat whose file is empty: our own copy, the extension's transcript, the editing session. */
import { append } from "../../../../model/values/lists.ts";
import { LONGEST_LINE } from "../../../../platform/fs/lines.ts";
import { createMemoryFs } from "../../../../platform/fs/memory.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { isObject, type JsonObject } from "../../../log/jsonl.ts";
import type { FindCopy } from "../../../requests.ts";
import { isTelling } from "../../format/fallbacks.ts";
import { type Fault, type ParsedSession, toTurn } from "../../format/parsed-session.ts";
import { inWholeSession, isNewer, type OpenSession } from "../../format/session-file.ts";
import { readTranscript } from "../../format/transcript.ts";
import { editingStateIn, transcriptIn } from "../../index-db/stores.ts";
import { type FileEdit, readEditingState } from "../../response/edits.ts";
import { toMessage } from "../../response/message.ts";
import { toRequests } from "./transcript.ts";

export interface Lost {
  readonly id: string;
  /** Where its file is, or was. */
  readonly path: string;
  readonly folder: string | undefined;
  readonly kept?: FindCopy | undefined;
}

export interface Memory {
  readonly turns: readonly unknown[];
  readonly head?: JsonObject;
  /** Where they come from. */
  readonly from: string;
}

/** The best there is; all but the last have every word. */
export async function remember(fs: SessionFs, lost: Lost): Promise<Memory | undefined> {
  return (await fromCopy(lost)) ?? (await fromTranscript(fs, lost));
}

async function fromCopy({ path, kept }: Lost): Promise<Memory | undefined> {
  for (const each of [path, path.endsWith("l") ? path.slice(0, -1) : `${path}l`]) {
    const copy = await kept?.(each);
    if (!copy) continue;
    const { telling, head, isUnknown } = await whole(copy, each, async (file) => ({
      ...(await turnsOf(file, file.parsed.turns)),
      head: file.parsed.head,
      isUnknown: isNewer(file.parsed),
    }));
    if (telling.length > 0 && !isUnknown) return { turns: telling, head, from: "rethread's own copy of it" };
  }
  return undefined;
}

async function fromTranscript(fs: SessionFs, { id, folder }: Lost): Promise<Memory | undefined> {
  const path = folder === undefined ? undefined : transcriptIn(folder, id);
  if (path === undefined || !(await fs.exists(path))) return undefined;
  const options = { maxLine: Number.POSITIVE_INFINITY, textLimit: Number.POSITIVE_INFINITY };
  const turns = toRequests(id, (await readTranscript(fs, path, options)).events);
  return turns.length > 0 ? { turns, from: "the extension's transcript" } : undefined;
}

/** A log under the name of a document, or the other way round: VS Code goes by the name, whoever gave it that. */
export async function readAsTheOther(fs: SessionFs, path: string): Promise<Memory | undefined> {
  const isLog = path.endsWith(".jsonl");
  const name = isLog ? "/chat.json" : "/chat.jsonl";
  if ((await fs.stat(path)).size > LONGEST_LINE) return undefined; // more than can be held
  const held = createMemoryFs({ [name]: Buffer.from(await fs.read(path)) });
  return whole(held, name, async (file) => {
    const { telling } = await turnsOf(file, file.parsed.turns);
    const from = isLog ? "a document under the name of a log" : "a log under the name of a document";
    return telling.length > 0 ? { turns: telling, head: file.parsed.head, from } : undefined;
  });
}

/** Not a word of what was said, but which turns there were, and which files each changed. */
export async function rememberEdits(fs: SessionFs, { id, folder }: Lost): Promise<Memory | undefined> {
  if (folder === undefined) return undefined;
  const { byTurn, newer } = await readEditingState(fs, editingStateIn(folder, id));
  if (newer !== undefined) return undefined;
  const turns = [...byTurn].map(([requestId, edits]) => ({
    requestId,
    message: toMessage("[The text of this turn is lost]"),
    variableData: { variables: [] },
    response: [{ value: `These files were changed:\n\n${edits.map(toItem).join("\n")}` }],
    modelState: { value: 1, completedAt: 0 },
  }));
  return turns.length > 0
    ? { turns, from: "the editing session, which has the files but not the text" }
    : undefined;
}

const toItem = ({ path, added, removed }: FileEdit): string =>
  `- \`${path}\`${added === undefined && removed === undefined ? "" : ` (+${added ?? 0} −${removed ?? 0})`}`;

/** Texts of any length are wanted whole here. */
export const whole = <T>(fs: SessionFs, path: string, work: (file: OpenSession) => Promise<T>): Promise<T> =>
  inWholeSession(fs, path, work);

export async function turnsOf(
  { parsed, load }: OpenSession,
  slots: ParsedSession["turns"],
): Promise<{ telling: unknown[]; faults: Fault[] }> {
  const telling: unknown[] = [];
  const faults: Fault[] = [];
  for (const slot of slots) {
    const turn = await toTurn(parsed.changes.of(slot), load);
    append(faults, turn.faults);
    if (!isObject(turn.value)) faults.push({ code: "record-invalid", message: "a turn is not an object" });
    if (isTelling(turn.value, parsed)) telling.push(turn.value);
  }
  return { telling, faults };
}
