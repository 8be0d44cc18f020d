/** `rethread chat --rename`, `--delete` and `--restore`: what is said about the conversation that was changed. */
import type { App, ChatRecord } from "../app/contract.ts";
import { AppError } from "../model/errors.ts";
import { shortId } from "../model/values/id.ts";
import { chatDelete, chatRename, chatRestore } from "../operations/changes/chats.ts";
import { commandText } from "../present/text/command-text.ts";
import { oneLine } from "../present/text/text.ts";

interface KeepArgs {
  readonly session: string | undefined;
  readonly rename: string | undefined;
  readonly delete: boolean;
  readonly restore: boolean;
}

/** Changes our record of the conversation, and says so. */
export async function keep(
  app: App,
  { session, rename, delete: isDelete, restore }: KeepArgs,
): Promise<{ readonly chat: ChatRecord; says(isDemo: boolean): string }> {
  const asked = [rename !== undefined && "--rename", isDelete && "--delete", restore && "--restore"].filter(
    Boolean,
  );
  if (asked.length > 1)
    throw new AppError("usage", `${asked.join(" and ")} exclude each other`, "Use one of them");
  if (session === undefined)
    throw new AppError("usage", `${asked[0]} needs the id of a conversation`, {
      say: "See all conversations",
      remedy: { action: "chat", args: { list: true } },
    });
  if (rename !== undefined) {
    const chat = await chatRename.run(app, { id: session, title: rename });
    return { chat, says: () => `${shortId(chat.id)} is called "${oneLine(chat.title)}" now` };
  }
  const chat = await (isDelete ? chatDelete : chatRestore).run(app, { id: session });
  const words = ["chat", shortId(chat.id), ...(isDelete ? ["--restore"] : [])];
  return {
    chat,
    says: (isDemo) =>
      isDelete
        ? `Deleted "${oneLine(chat.title)}"; the program's own session stays. Bring it back within 30 days: ${commandText(words, isDemo)}`
        : `"${oneLine(chat.title)}" is back. Continue it: ${commandText(words, isDemo)}`,
  };
}
