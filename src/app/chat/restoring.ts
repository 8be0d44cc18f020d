/** A remembered conversation as a session of the program: in the form that it takes in, and then the way of every import. */
import { join } from "node:path";
import type { ChatRecord } from "../../bridge/chat-record.ts";
import type { ContextMessage } from "../../model/session/context.ts";
import type { SourceId } from "../../model/session/session.ts";
import { createNewFile } from "../../platform/disk/new-file.ts";
import { removeFile } from "../../platform/disk/own-files.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { Transcript } from "../../sources/interchange.ts";
import type { EditApp } from "../edit-contract.ts";

export interface Restoring {
  readonly catalog: Catalog;
  readonly source: SourceId;
  readonly dataFolder: string;
  readonly edit: () => Promise<EditApp>;
}

/** The id of the session that was written. */
export async function restoreChat(
  chat: ChatRecord,
  { catalog, source, dataFolder, edit: openEdit }: Restoring,
): Promise<string> {
  const { interchange } = (await catalog.interchanges()).find((each) => each.source === source) ?? {};
  if (!interchange?.write) throw new Error(`${source} takes in no conversation`);
  const path = join(dataFolder, "chats", `${chat.id}.transcript`);
  const file = createNewFile(path, { replace: true, mode: 0o600 });
  for (const line of interchange.write(toTranscript(chat, source))) file.write(line);
  file.finish();
  const edit = await openEdit();
  try {
    // The program allows no double quotes in a name.
    const name = chat.title.replaceAll('"', "'").trim();
    const plan = await edit.planImport(path, { to: chat.workspace, ...(name !== "" && { name }) });
    await edit.apply(plan.fingerprint);
    return plan.session.id;
  } finally {
    edit.close();
    removeFile(path);
  }
}

/** What was said; an answer of which nothing came is none. */
function toTranscript(
  { id, title, createdAt, updatedAt, messages }: ChatRecord,
  source: SourceId,
): Transcript {
  const told = messages
    .filter(({ text }) => text.trim() !== "")
    .map(({ role, text, at }) => ({ role, text, at }));
  const times = new Map<ContextMessage, string>(told.map((message) => [message, message.at]));
  return {
    session: {
      source,
      id,
      title,
      createdAt,
      updatedAt,
      turns: 0,
      problems: 0,
      models: [],
      path: "",
      bytes: 0,
    },
    messages: told,
    timeOf: (message) => times.get(message),
    hasFailed: () => false,
  };
}
