/** What the Copilot extension would send to the model if the chat were continued. */

import { AppError } from "../../model/errors.ts";
import type { ContextLimit, ContextMessage } from "../../model/session/context.ts";
import type { Artifact } from "../../model/session/session.ts";
import { cutDeep } from "../../model/values/json.ts";
import { reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { createHeldSize } from "../held-size.ts";
import { asNumber, asObject, isObject, type JsonObject } from "../jsonl.ts";
import type { ContextOptions, TurnsAndContext } from "../source.ts";
import { findRescue, isTelling } from "./format/fallbacks.ts";
import { toMessages } from "./format/history.ts";
import { type Load, type ParsedSession, type Turn, toTurn } from "./format/parsed-session.ts";
import { inSession, type OpenSession } from "./format/session-file.ts";
import { storeFolderOf } from "./index-db/stores.ts";
import { read } from "./read.ts";
import { modelOf, requestStartsTurn } from "./response/turn-events.ts";

export async function context(fs: SessionFs, artifact: Artifact): Promise<ContextMessage[]> {
  if (artifact.listed?.state === "ghost") return []; // VS Code opens it as an empty chat
  return inFile(fs, artifact, async (file) => {
    const own = await messagesOf(file, file.parsed.turns, artifact.id);
    return own?.messages ?? (await rescuedMessages(fs, artifact, file));
  });
}

/** Every turn that tells something begins with a prompt; where none does, both are asked for on their own. */
export async function measure(
  fs: SessionFs,
  artifact: Artifact,
  { hold = (text) => text }: ContextOptions = {},
): Promise<TurnsAndContext> {
  const own =
    artifact.listed?.state === "ghost"
      ? undefined
      : await inFile(fs, artifact, (file) => messagesOf(file, file.parsed.turns, artifact.id));
  if (!own) {
    const { turns } = await read(fs, artifact, { event: () => undefined, problem: () => undefined });
    return { turns, messages: await context(fs, artifact) };
  }
  const held = (message: ContextMessage): ContextMessage =>
    message.role === "tool" ? { ...message, text: hold(message.text) } : message;
  return { turns: own.turns, messages: own.messages.map(held) };
}

async function inFile<T>(
  fs: SessionFs,
  { path }: Artifact,
  work: (file: OpenSession) => Promise<T>,
): Promise<T> {
  try {
    return await inSession(fs, path, work);
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error && "code" in error)) throw error;
    const hint = "Close the program that has it open, or check its permissions, then try again";
    throw new AppError("unreadable", `The session cannot be read: ${reasonOf(error)}`, hint, error);
  }
}

/** Of the turns that `read` gives when the file tells none; a transcript lacks what the history is rebuilt from. */
async function rescuedMessages(
  fs: SessionFs,
  { path, id }: Artifact,
  file: OpenSession,
): Promise<ContextMessage[]> {
  const rest = await findRescue(fs, file, { path, id, folder: storeFolderOf(path) });
  if (rest?.by === "log") return (await messagesOf(file, rest.turns, id))?.messages ?? [];
  if (rest?.by !== "twin") return [];
  const own = await inSession(fs, rest.path, (twin) => messagesOf(twin, twin.parsed.turns, id));
  return (own?.messages ?? []).map(({ origin, ...message }) => ({
    ...message,
    ...(origin && { origin: { file: rest.path, ...origin } }),
  }));
}

/** Undefined when no turn tells anything. */
async function messagesOf(
  { parsed, load: loadAny }: OpenSession,
  slots: ParsedSession["turns"],
  id: string,
): Promise<{ turns: number; messages: ContextMessage[] } | undefined> {
  const turns: Turn[] = [];
  const hold = createHeldSize(id);
  let last = -1;
  const load: Load = async (place) => {
    const loaded = await loadAny(place);
    // Turns that stand in one line are loaded with it.
    if (place.start !== last) hold(place.end - place.start - loaded.cut);
    last = place.start;
    return loaded;
  };
  for (const slot of slots) {
    const turn = await toTurn(parsed.changes.of(slot), load);
    cutDeep(turn.value); // as in what is shown
    if (isTelling(turn.value, parsed)) turns.push(turn);
  }
  if (turns.length === 0) return undefined;
  const started = turns.filter(({ value }) => isObject(value) && requestStartsTurn(value)).length;
  return { turns: started, messages: toMessages(turns, selectedModel(parsed.head)) };
}

/** VS Code notes with the chosen model how much it takes in. */
export async function limit(fs: SessionFs, artifact: Artifact): Promise<ContextLimit | undefined> {
  if (artifact.listed?.state === "ghost") return undefined;
  return inFile(fs, artifact, async ({ parsed: { head } }) => {
    const tokens = asNumber(asObject(chosenModel(head)?.metadata)?.maxInputTokens);
    const model = selectedModel(head);
    return tokens === undefined ? undefined : { tokens, ...(model !== undefined && { model }) };
  });
}

const chosenModel = (head: JsonObject): JsonObject | undefined =>
  asObject(asObject(head.inputState)?.selectedModel);

export const selectedModel = (head: JsonObject): string | undefined =>
  modelOf({ modelId: chosenModel(head)?.identifier });
