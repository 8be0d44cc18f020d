/** Stores conversations, one file each: written atomically, and never discarded when damaged. */
import { join } from "node:path";
import { AppError } from "../model/errors.ts";
import { bestOf, rankStart } from "../model/values/id.ts";
import { createNewFile } from "../platform/disk/new-file.ts";
import {
  isThere,
  makeFolder,
  moveAside,
  namesIn,
  readIfThere,
  readStart,
  removeFile,
} from "../platform/disk/own-files.ts";
import { isErrno, reasonOf } from "../platform/fs/session-fs.ts";
import { takeWriteLock } from "../platform/process/write-lock.ts";
import type { ChatHead, ChatRecord } from "./chat-record.ts";
import { type NoChat, upgrade } from "./chat-versions.ts";
import { openDeleted } from "./deleted-chats.ts";

export interface ChatFiles {
  /** The latest first. Damaged ones are set aside, and named. */
  list(): ChatList;
  /** Whether ids begin so. */
  has(name: string): boolean;
  /** By any unique start of its id. */
  load(name: string): ChatRecord;
  save(chat: ChatRecord): void;
  /** At once and for good; see `discard`. */
  remove(id: string): void;
  /** Takes it out of the list, and keeps its file for a while. */
  discard(id: string, now: Date): void;
  /** Puts one back that was discarded, by any unique start of its id. */
  bringBack(name: string): ChatRecord;
  /** Locks the conversation against other senders; undefined when another process has the lock. */
  lock(id: string): (() => void) | undefined;
}

export interface ChatList {
  readonly chats: readonly ChatHead[];
  readonly unreadable: readonly Unreadable[];
}

export interface Unreadable {
  /** Where it lies now: set aside, unless a newer version wrote it. */
  readonly path: string;
  readonly why: string;
}

/** From outside: it becomes part of a path. */
const ID = /^[0-9a-zA-Z][0-9a-zA-Z-]{3,63}$/;
/** All but the messages stands in front, as nobody has a title or a path that long. */
const HEAD_BYTES = 8 << 10;
const MESSAGES = '\n  "messages": [';

export function openChats(dataFolder: string): ChatFiles {
  const folder = join(dataFolder, "chats");
  const pathOf = (id: string): string => join(folder, `${id}.json`);
  const ids = (): string[] =>
    namesIn(folder).flatMap((name) => {
      const id = name.endsWith(".json") ? name.slice(0, -".json".length) : "";
      return ID.test(id) ? [id] : [];
    });
  const deleted = openDeleted(folder, pathOf);
  const putAway = (id: string, { why, isNewer, isOutOfReach }: NoChat): Unreadable => ({
    path: isNewer || isOutOfReach ? pathOf(id) : join(folder, moveAside(pathOf(id), "damaged")),
    why,
  });
  /** What is wrong with the folder comes out as something a person can act on. */
  const guarded =
    <A extends unknown[], T>(work: (...args: A) => T) =>
    (...args: A): T => {
      try {
        return work(...args);
      } catch (error) {
        throw unusable(folder, error);
      }
    };

  return {
    list: guarded(() => {
      const chats: ChatHead[] = [];
      const unreadable: Unreadable[] = [];
      for (const id of ids()) {
        const head = headOf(pathOf(id)) ?? whole(pathOf(id), id);
        if (head && "why" in head) unreadable.push(putAway(id, head));
        else if (head) chats.push(head);
      }
      return {
        chats: chats.sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1)),
        unreadable,
      };
    }),
    has: guarded((name) => ids().some((id) => rankStart(name, id) !== undefined)),
    load: guarded((name) => {
      const [id, another] = bestOf(ids(), (each) => rankStart(name, each));
      if (id === undefined) throw notFound(name, false);
      if (another !== undefined) throw notFound(name, true);
      const chat = whole(pathOf(id), id);
      if (!chat) throw notFound(name, false);
      if (!("why" in chat)) return chat;
      const { path, why } = putAway(id, chat);
      throw new AppError(
        chat.isNewer ? "store-newer" : "unreadable",
        `Conversation ${id} cannot be read: ${why}`,
        chat.isNewer
          ? "Use the newer rethread"
          : `${chat.isOutOfReach ? "Look at it" : "Its file was set aside; look at it"}: ${path}`,
      );
    }),
    save: guarded((chat) => {
      if (!ID.test(chat.id)) throw new Error(`${chat.id} cannot be the name of a file`);
      makeFolder(folder);
      const file = createNewFile(pathOf(chat.id), { replace: true, mode: 0o600 });
      file.write(toText(chat));
      file.finish();
    }),
    remove: guarded((id) => removeFile(pathOf(id))),
    discard: guarded(deleted.put),
    bringBack: guarded((name) => {
      const id = deleted.bringBack(name);
      const chat = whole(pathOf(id), id);
      if (!chat || "why" in chat) throw notFound(name, false);
      return chat;
    }),
    lock: guarded((id) => {
      makeFolder(folder);
      return takeWriteLock(join(folder, `.${id}.lock`));
    }),
  };
}

/** The messages last, so that a list need not read them. */
function toText({ messages, ...head }: ChatRecord): string {
  return `${JSON.stringify({ ...head, messages }, null, 2)}\n`;
}

function headOf(path: string): ChatHead | undefined {
  try {
    const start = readStart(path, HEAD_BYTES);
    const end = start?.indexOf(`,${MESSAGES}`) ?? -1;
    if (start === undefined || end < 0) return undefined;
    const head = upgrade(JSON.parse(`${start.slice(0, end)}, "messages": []}`));
    if ("why" in head) return undefined;
    const { messages: _, ...rest } = head;
    return rest;
  } catch {
    return undefined; // written by another hand, or not to be read: then it is read whole, and judged there
  }
}

function whole(path: string, id: string): ChatRecord | NoChat | undefined {
  try {
    const text = isThere(path) ? readIfThere(path)?.toString("utf8") : undefined;
    if (text === undefined) return undefined;
    const chat = upgrade(JSON.parse(text));
    return "why" in chat || chat.id === id ? chat : { ...chat, id };
  } catch (error) {
    if (isErrno(error, "EISDIR", "EACCES", "EPERM", "EIO"))
      return { why: reasonOf(error), isOutOfReach: true };
    return { why: `not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

function unusable(folder: string, cause: unknown): unknown {
  if (cause instanceof AppError || !(cause instanceof Error && "code" in cause)) return cause;
  return isErrno(cause, "ENOSPC", "EDQUOT")
    ? new AppError("disk-full", `No space is left in ${folder}`, "Free some space, then try again", cause)
    : new AppError(
        "store-unusable",
        `Conversations cannot be kept in ${folder}: ${reasonOf(cause)}`,
        "Make it a folder that you can write to, or set RETHREAD_HOME to another",
        cause,
      );
}

const notFound = (name: string, isAmbiguous: boolean): AppError =>
  new AppError(
    isAmbiguous ? "session-ambiguous" : "session-not-found",
    isAmbiguous ? `"${name}" matches several conversations` : `No conversation matches "${name}"`,
    { say: "See all conversations", remedy: { action: "chat", args: { list: true } } },
  );
