/** Writes a remembered conversation as a session of its program, by a plan as every other write. */
import type { ChatRecord } from "../../bridge/chat-record.ts";
import type { EditApp } from "../edit-contract.ts";

/** The id of the session that was written. */
export async function restoreChat(chat: ChatRecord, openEdit: () => Promise<EditApp>): Promise<string> {
  const { id, source, workspace, createdAt, messages } = chat;
  const edit = await openEdit();
  try {
    const plan = await edit.planRestore({
      ...{ id, source, workspace, createdAt, messages },
      // Copilot CLI allows no double quotes in a name.
      name: chat.title.replaceAll('"', "'").trim() || "A conversation",
      note: `Written again by rethread from its own record of conversation ${id}.`,
    });
    await edit.apply(plan.fingerprint);
    return plan.session.id;
  } finally {
    edit.close();
  }
}
