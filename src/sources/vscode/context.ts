/** What the Copilot extension would send to the model if the chat were continued. */

import { AppError } from "../../model/errors.ts";
import type { ContextLimit, ContextMessage } from "../../model/session/context.ts";
import type { Artifact } from "../../model/session/session.ts";
import { cutDeep } from "../../model/values/json.ts";
import { reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { createHeldSize } from "../log/held-size.ts";
import { asNumber, asObject } from "../log/jsonl.ts";
import type { ContextOptions, TurnsAndContext } from "../source.ts";
import { findRescue, isTelling } from "./format/fallbacks.ts";
import { chosenModel, createHistory, selectedModel } from "./format/history.ts";
import { type Load, type ParsedSession, toTurn, toValue } from "./format/parsed-session.ts";
import { inSession, inUsualSession, type OpenSession } from "./format/session-file.ts";
import { storeFolderOf } from "./index-db/stores.ts";
import { read } from "./read.ts";

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
      : await inFile(fs, artifact, (file) => messagesOf(file, file.parsed.turns, artifact.id, hold));
  if (own) return own;
  const { turns } = await read(fs, artifact, { event: () => undefined, problem: () => undefined });
  const held = (message: ContextMessage): ContextMessage =>
    message.role === "tool" ? { ...message, text: hold(message.text) } : message;
  return { turns, messages: (await context(fs, artifact)).map(held) };
}

async function inFile<T>(
  fs: SessionFs,
  { path }: Artifact,
  work: (file: OpenSession) => Promise<T>,
): Promise<T> {
  try {
    return await inUsualSession(fs, path, work);
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

/** Undefined when no turn tells anything. Where results are held in another form, nobody asks where messages stand. */
async function messagesOf(
  { parsed, load: loadAny }: OpenSession,
  slots: ParsedSession["turns"],
  id: string,
  hold?: (text: string) => string,
): Promise<{ turns: number; messages: ContextMessage[] } | undefined> {
  const history = createHistory(hold);
  const count = createHeldSize(id);
  let last = -1;
  const load: Load = async (place) => {
    const loaded = await loadAny(place);
    // Turns that stand in one line are loaded with it.
    if (place.start !== last) count(place.end - place.start - loaded.cut);
    last = place.start;
    return loaded;
  };
  let isTold = false;
  for (const slot of slots) {
    const turn = await (hold ? toValue : toTurn)(parsed.changes.of(slot), load);
    cutDeep(turn.value); // as in what is shown
    if (!isTelling(turn.value, parsed)) continue;
    isTold = true;
    history.add(turn);
  }
  return isTold ? { turns: history.turns(), messages: history.end(selectedModel(parsed.head)) } : undefined;
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
