/** Conversations with an agent's program that survive restarts; one message at a time in each. */
import { randomUUID } from "node:crypto";
import type { ChatEvent, ChatUsage } from "../model/chat.ts";
import type { SourceId } from "../model/session/session.ts";
import type { Driver } from "../sources/driver.ts";
import type { ChatFiles } from "./chat-files.ts";
import { type ChatMessage, type ChatRecord, hold, newChat } from "./chat-record.ts";
import type { SessionAccess } from "./prepare-send.ts";
import { type Agent, probe } from "./probe.ts";
import { sendNow } from "./sending.ts";

export interface BridgeOptions extends SessionAccess {
  readonly files: ChatFiles;
  /** Whose program it is. */
  readonly source: SourceId;
  readonly driver: Driver;
  /** The program, where it is not the one on the path. */
  readonly program?: string;
  readonly dataFolder: string;
  /** Where conversations begin, and the environment that reaches the program. */
  readonly folder: string;
  readonly vars: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
}

export interface SendOptions {
  readonly signal?: AbortSignal;
  readonly model?: string;
  /** Tools run without asking (default); else those that need a permission are refused. */
  readonly allowsTools?: boolean;
  /** Send although another process seems to have the program's session open. */
  readonly ignoreLock?: boolean;
  /** False: the message stands alone, in a session of its own. */
  readonly keepsContext?: boolean;
  /** If the program prints nothing for this long, it counts as hung and is stopped (default ten minutes). */
  readonly silenceMs?: number;
}

export interface Finished {
  readonly kind: "finished";
  readonly state: NonNullable<ChatMessage["state"]>;
  readonly answer: string;
  readonly cliSession?: string;
  /** The program's session was found by asking for its last one, which may belong to another conversation. */
  readonly isImprecise: boolean;
  readonly usage: ChatUsage;
  /** Why it failed. */
  readonly reason?: string;
}

export type BridgeEvent = Exclude<ChatEvent, { kind: "end" }> | Finished;

export interface NewChat {
  readonly workspace?: string;
  readonly model?: string;
  /** An existing session of the program, to be continued. */
  readonly cliSession?: string;
  /** What was said in that session so far. */
  readonly messages?: readonly ChatMessage[];
  readonly title?: string;
}

export interface Bridge {
  readonly chats: Pick<ChatFiles, "list" | "load" | "remove">;
  create(about?: NewChat): ChatRecord;
  /** Throws, with how to get it, where the program is missing or too old. */
  check(): Promise<void>;
  /** The next message waits for the answer to the one before. To stop reading cancels the answer. */
  send(id: string, text: string, options?: SendOptions): AsyncGenerator<BridgeEvent>;
}

export function createBridge(options: BridgeOptions): Bridge {
  const { files, now } = options;
  const last = new Map<string, Promise<void>>();
  /** Nothing was said in them yet, so there is nothing to keep. */
  const drafts = new Map<string, ChatRecord>();
  /** Conversations in which this process has sent something. */
  const begun = new Set<string>();
  let agent: Promise<Agent> | undefined;
  /** Asked again where it could not be told: the program may have been installed since. */
  const findAgent = async (): Promise<Agent> => {
    agent ??= probe(options.driver, options.program, options);
    try {
      return await agent;
    } catch (error) {
      agent = undefined;
      throw error;
    }
  };
  return {
    chats: files,
    async check() {
      await findAgent();
    },
    create({ workspace = options.folder, model, cliSession, messages = [], title = "" } = {}) {
      const chat = {
        ...newChat({ id: randomUUID(), source: options.source }, workspace, now(), model),
        title,
        messages,
      };
      const made = cliSession === undefined ? chat : hold(chat, cliSession, true);
      drafts.set(made.id, made);
      return made;
    },
    async *send(id, text, how = {}) {
      const before = last.get(id);
      const mine = Promise.withResolvers<void>();
      last.set(id, mine.promise);
      try {
        await before;
        const found = await findAgent();
        const draft = drafts.get(id);
        if (draft) files.save(draft);
        drafts.delete(id);
        yield* sendNow(options, found, id, text, { ...how, hasBegun: begun.has(id) });
        begun.add(id);
      } finally {
        mine.resolve();
        if (last.get(id) === mine.promise) last.delete(id);
      }
    },
  };
}
