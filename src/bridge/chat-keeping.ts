/** Renames, deletes and brings back conversations: only our record changes, the program's own session stays. */
import { AppError } from "../model/errors.ts";
import { shortId } from "../model/values/id.ts";
import { stopLeftBehind } from "../platform/process/program.ts";
import type { ChatFiles } from "./chat-files.ts";
import type { ChatRecord } from "./chat-record.ts";

export interface ChatKeeping {
  rename(name: string, title: string): Promise<ChatRecord>;
  /** Gives back what it was; `bringBack` undoes it. */
  delete(name: string): Promise<ChatRecord>;
  /** By any unique start of its id. */
  bringBack(name: string): Promise<ChatRecord>;
}

/** A list reads only the beginning of each file, and the title stands there. */
const LONGEST_TITLE = 200;

export function createKeeping(files: ChatFiles, now: () => Date): ChatKeeping {
  /** An answer that is under way writes the record again, as it was when it was asked for. */
  const whileFree = async <T>(name: string, work: (chat: ChatRecord) => Promise<T> | T): Promise<T> => {
    const { id } = files.load(name);
    const unlock = files.lock(id);
    if (!unlock) throw answering(id);
    try {
      return await work(files.load(id));
    } finally {
      unlock();
    }
  };
  return {
    async rename(name, typed) {
      const title = toTitle(typed);
      return whileFree(name, (chat) => {
        const renamed = { ...chat, title };
        files.save(renamed);
        return renamed;
      });
    },
    delete: (name) =>
      whileFree(name, async (chat) => {
        // Left by a rethread that died: nobody would read its answer any more.
        if (chat.answering) await stopLeftBehind(chat.answering);
        files.discard(chat.id, now());
        return chat;
      }),
    bringBack: async (name) => files.bringBack(name),
  };
}

function toTitle(typed: string): string {
  const title = typed.replace(/\s+/g, " ").trim();
  if (title === "")
    throw new AppError("usage", "The title of a conversation must not be empty", "Write it in quotes");
  const { length } = [...title];
  if (length > LONGEST_TITLE)
    throw new AppError(
      "usage",
      `A title has at most ${LONGEST_TITLE} characters; this one has ${length}`,
      "Use a shorter one",
    );
  return title;
}

const answering = (id: string): AppError =>
  new AppError(
    "session-busy",
    `Conversation ${shortId(id)} is being answered, so it was not changed`,
    "Wait for the answer or stop it, then try again",
  );
