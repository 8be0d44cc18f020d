/** What the Copilot extension would send to the model if the chat were continued. */
import type { ContextMessage } from "../../model/context.ts";
import { AppError } from "../../model/errors.ts";
import type { Artifact } from "../../model/session.ts";
import { reasonOf, type SessionFs } from "../../platform/session-fs.ts";
import { asObject, type JsonObject } from "../jsonl.ts";
import { toMessages } from "./history.ts";
import { findRescue, isTelling } from "./rescue.ts";
import { inSession, type OpenSession } from "./session-file.ts";
import { storeFolderOf } from "./stores.ts";
import { type Told, type Turn, toTurn } from "./told.ts";
import { modelOf } from "./turn-events.ts";

export async function context(fs: SessionFs, artifact: Artifact): Promise<ContextMessage[]> {
  if (artifact.listed?.state === "ghost") return []; // VS Code opens it as an empty chat
  try {
    return await inSession(fs, artifact.path, async (file) => {
      const own = await messagesOf(file, file.told.turns);
      return own ?? (await rescuedMessages(fs, artifact, file));
    });
  } catch (error) {
    const hint = "Close what has it open, or check its permissions, and try again";
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
  if (rest?.by === "log") return (await messagesOf(file, rest.turns)) ?? [];
  if (rest?.by !== "twin") return [];
  const messages = await inSession(fs, rest.path, (twin) => messagesOf(twin, twin.told.turns));
  return (messages ?? []).map(({ origin, ...message }) => ({
    ...message,
    ...(origin && { origin: { file: rest.path, ...origin } }),
  }));
}

/** Undefined when no turn tells anything. */
async function messagesOf(
  { told, load }: OpenSession,
  slots: Told["turns"],
): Promise<ContextMessage[] | undefined> {
  const turns: Turn[] = [];
  for (const slot of slots) {
    const turn = await toTurn(told.changes.of(slot), load);
    if (isTelling(turn.value, told)) turns.push(turn);
  }
  return turns.length > 0 ? toMessages(turns, selectedModel(told.head)) : undefined;
}

export const selectedModel = (head: JsonObject): string | undefined =>
  modelOf({ modelId: asObject(asObject(head.inputState)?.selectedModel)?.identifier });
