/**
 * Prepares a message: recovers from a crash, and makes sure that the program's session exists and is not open
 * elsewhere.
 */
import { type ChatUsage, hasAnswer } from "../model/chat.ts";
import { AppError } from "../model/errors.ts";
import { shortId } from "../model/values/id.ts";
import { toMs } from "../model/values/time.ts";
import { stopLeftBehind } from "../platform/process/program.ts";
import type { JustMade } from "../sources/driver.ts";
import { answer, type ChatMessage, type ChatRecord, hold, settle } from "./chat-record.ts";
import type { Sending } from "./sending.ts";

/** What the bridge must know of the program's sessions, and may ask to be done with them. */
export interface SessionAccess {
  /** Where the log of a session ends; 0 when the program has nothing to resume under this id. */
  logEnd(cliSession: string): Promise<number>;
  /** What its log says, behind that place, of what was spent. */
  spentSince(cliSession: string, place: number): Promise<ChatUsage>;
  /** Takes it for us, so that no other rethread talks in it or writes to it; throws when one does. It may begin in `folder`. */
  claim(cliSession: string, folder: string): Promise<() => void>;
  /** A living process that has it open. */
  owner(cliSession: string): Promise<number | undefined>;
  /** What was said in it, as its log has it. */
  history(cliSession: string): Promise<readonly ChatMessage[]>;
  /** Writes the remembered conversation as a session that the program resumes, and gives back its id. */
  restore(chat: ChatRecord): Promise<string>;
  /** Every session that the program has. */
  known(): Promise<ReadonlySet<string>>;
  capture(justMade: Omit<JustMade, "isSame">): Promise<string | undefined>;
  isFolder(path: string): Promise<boolean>;
}

export interface PreparedSend {
  readonly chat: ChatRecord;
  /** What is sent: the message, and before it what never reached the program. */
  readonly prompt: string;
  /** What people should know. */
  readonly notices: readonly string[];
}

export const GUESSED =
  "The program does not say which of its sessions holds this conversation, so it continued its last one, which may be another";
export const RESTORED =
  "The program no longer has this conversation, so rethread wrote it again from its own record";

export async function prepareSend(
  access: SessionAccess,
  before: ChatRecord,
  text: string,
  { hasBegun, keepsContext = true, ignoreLock = false }: Sending,
): Promise<PreparedSend> {
  const notices: string[] = [];
  let chat = await settleCrash(before, notices);
  const { workspace, cliSession, messages } = chat;
  if (!(await access.isFolder(workspace))) throw workspaceGone(chat);
  const isKnown = cliSession !== undefined && !chat.isImprecise;
  if (!keepsContext || (!isKnown && (hasBegun || messages.length === 0)))
    return { chat, prompt: text, notices };
  const logEnd = isKnown ? await access.logEnd(cliSession) : 0;
  if (!isKnown || logEnd === 0) {
    if (!hasAnswer(chat)) return beginAnew(chat, text, notices);
    const restored = hold(chat, await access.restore(chat), true);
    return { chat: restored, prompt: text, notices: [...notices, RESTORED] };
  }
  const owner = before.answering ? await ownerLeft(access, cliSession) : await access.owner(cliSession);
  if (owner !== undefined && !ignoreLock) throw openElsewhere(cliSession, owner);
  if (owner !== undefined)
    notices.push(`Process ${owner} seems to have this session open; if so, both programs write to it`);
  const asked = findInterrupted(chat);
  if (asked === undefined && (chat.logEnd ?? logEnd) === logEnd) return { chat, prompt: text, notices };
  const history = await access.history(cliSession);
  const missed = findMissed(messages, history);
  if (missed.length > 0) {
    chat = { ...chat, messages: [...messages, ...missed] };
    notices.push("This conversation was continued in the program itself; those messages are now part of it");
  }
  if (asked === undefined || timesAsked(history, asked) >= timesAsked(messages, asked))
    return { chat, prompt: text, notices };
  return { chat, ...sendBoth(asked, text, notices) };
}

/** The program has nothing of it, and there is nothing to remember but what was asked. */
function beginAnew(
  { cliSession: _, isImprecise: __, ...chat }: ChatRecord,
  text: string,
  notices: string[],
): PreparedSend {
  const asked = findInterrupted(chat);
  return asked === undefined ? { chat, prompt: text, notices } : { chat, ...sendBoth(asked, text, notices) };
}

const sendBoth = (asked: string, text: string, notices: readonly string[]): Omit<PreparedSend, "chat"> => ({
  prompt: `${asked}\n\n${text}`,
  notices: [...notices, "Your last message never reached the program, so it is sent together with this one"],
});

const workspaceGone = ({ id, workspace }: ChatRecord): AppError =>
  new AppError("workspace-missing", `The conversation's folder is gone: ${workspace}`, {
    say: "Continue in another folder",
    remedy: { action: "chat", session: shortId(id), asks: { workspace: "folder" } },
  });

const openElsewhere = (cliSession: string, pid: number): AppError =>
  new AppError(
    "session-busy",
    `Session ${cliSession} is open in another program (process ${pid}), and both would write to it`,
    {
      say: "Close it there, or continue in a copy",
      remedy: { action: "fork", session: shortId(cliSession) },
      after: "; if it is not open there, add --ignore-lock",
    },
  );

/** What the program that we just ended had started goes with it, a moment later. */
async function ownerLeft(access: SessionAccess, cliSession: string): Promise<number | undefined> {
  let owner = await access.owner(cliSession);
  for (let tries = 0; owner !== undefined && tries < MOST_TRIES; tries++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    owner = await access.owner(cliSession);
  }
  return owner;
}

const [MOST_TRIES, LOOK_AGAIN_MS] = [20, 100];

/** A program that our predecessor left running is ended, and its half answer kept as one. */
async function settleCrash(chat: ChatRecord, notices: string[]): Promise<ChatRecord> {
  if (!chat.answering) return chat;
  await stopLeftBehind(chat.answering);
  notices.push("The last answer was interrupted");
  const last = chat.messages.at(-1);
  const so = last?.role === "assistant" ? last : { text: "" };
  const { role: _role, at: _at, ...rest } = { role: "", at: "", ...so };
  return settle(answer(chat, { ...rest, state: "interrupted" }, new Date(toMs(chat.updatedAt) ?? 0)));
}

/** The last message, when its answer was interrupted. Whether the program knows of it is another question. */
function findInterrupted({ messages }: ChatRecord): string | undefined {
  const [asked, got] = messages.slice(-2);
  return asked?.role === "user" && got?.state === "interrupted" ? asked.text : undefined;
}

/** What follows, in all that was said, on the turn of ours that was last. Nothing where that turn is not to be found. */
export function findMissed(
  messages: readonly ChatMessage[],
  all: readonly ChatMessage[],
): readonly ChatMessage[] {
  const last = messages.findLast(isPrompt)?.text.trim();
  const at = all.findLastIndex((message) => isPrompt(message) && message.text.trim() === last);
  if (at < 0) return [];
  const next = all.findIndex((message, number) => number > at && isPrompt(message));
  return next < 0 ? [] : all.slice(next);
}

/** The same may be asked again and again. */
const timesAsked = (messages: readonly ChatMessage[], text: string): number =>
  messages.filter((message) => isPrompt(message) && message.text.trim() === text.trim()).length;

const isPrompt = ({ role }: ChatMessage): boolean => role === "user";
