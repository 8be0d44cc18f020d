/** The conversations of an application, one file each: written whole or not at all, and never thrown away for being damaged. */
import { join } from "node:path";
import { AppError } from "../model/errors.ts";
import { bestOf, rankStart } from "../model/id.ts";
import { createNewFile } from "../platform/new-file.ts";
import {
  isThere,
  makeFolder,
  moveAside,
  namesIn,
  readIfThere,
  readStart,
  removeFile,
} from "../platform/own-files.ts";
import { takeWriteLock } from "../platform/write-lock.ts";
import type { ChatHead, ChatRecord } from "./chat-record.ts";
import { type NoChat, upgrade } from "./chat-versions.ts";

export interface ChatFiles {
  /** The latest first. Damaged ones are set aside, and named. */
  list(): ChatList;
  /** Whether ids begin so. */
  has(name: string): boolean;
  /** By any unique start of its id. */
  load(name: string): ChatRecord;
  save(chat: ChatRecord): void;
  remove(id: string): void;
  /** Nobody else sends in this conversation until it is given back; nothing when somebody does. */
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
  const putAway = (id: string, { why, isNewer }: NoChat): Unreadable => ({
    path: isNewer ? pathOf(id) : join(folder, moveAside(pathOf(id), "damaged")),
    why,
  });

  return {
    list() {
      const chats: ChatHead[] = [];
      const unreadable: Unreadable[] = [];
      for (const id of ids()) {
        const head = headOf(readStart(pathOf(id), HEAD_BYTES)) ?? whole(pathOf(id), id);
        if (head && "why" in head) unreadable.push(putAway(id, head));
        else if (head) chats.push(head);
      }
      return {
        chats: chats.sort((one, other) => (one.updatedAt < other.updatedAt ? 1 : -1)),
        unreadable,
      };
    },
    has: (name) => ids().some((id) => rankStart(name, id) !== undefined),
    load(name) {
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
        chat.isNewer ? "Use the newer rethread" : `Its file was set aside; look at it: ${path}`,
      );
    },
    save(chat) {
      if (!ID.test(chat.id)) throw new Error(`${chat.id} cannot be the name of a file`);
      makeFolder(folder);
      const file = createNewFile(pathOf(chat.id), { replace: true, mode: 0o600 });
      file.write(toText(chat));
      file.finish();
    },
    remove: (id) => removeFile(pathOf(id)),
    lock(id) {
      makeFolder(folder);
      return takeWriteLock(join(folder, `.${id}.lock`));
    },
  };
}

/** The messages last, so that a list need not read them. */
function toText({ messages, ...head }: ChatRecord): string {
  return `${JSON.stringify({ ...head, messages }, null, 2)}\n`;
}

function headOf(start: string | undefined): ChatHead | undefined {
  const end = start?.indexOf(`,${MESSAGES}`) ?? -1;
  if (start === undefined || end < 0) return undefined;
  try {
    const head = upgrade(JSON.parse(`${start.slice(0, end)}, "messages": []}`));
    if ("why" in head) return undefined;
    const { messages: _, ...rest } = head;
    return rest;
  } catch {
    return undefined; // written by another hand: then it is read whole, and judged there
  }
}

function whole(path: string, id: string): ChatRecord | NoChat | undefined {
  const text = isThere(path) ? readIfThere(path)?.toString("utf8") : undefined;
  if (text === undefined) return undefined;
  try {
    const chat = upgrade(JSON.parse(text));
    return "why" in chat || chat.id === id ? chat : { ...chat, id };
  } catch (error) {
    return { why: `not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

const notFound = (name: string, isAmbiguous: boolean): AppError =>
  new AppError(
    isAmbiguous ? "session-ambiguous" : "session-not-found",
    isAmbiguous ? `Several conversations begin with "${name}"` : `There is no conversation "${name}"`,
    "See which there are: rethread chat --list",
  );
