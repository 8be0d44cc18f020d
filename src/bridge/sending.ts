/**
 * Sends one message: it is saved before it is sent, goes to the intended session or to none, and its outcome is saved
 * as well, so that a crash loses at most the rest of an answer.
 */
import { randomUUID } from "node:crypto";
import { decideStartMode, type StartMode } from "../model/chat.ts";
import { AppError } from "../model/errors.ts";
import { converse, type Gathered, type Outcome } from "./answering.ts";
import type { BridgeEvent, BridgeOptions, Finished, SendOptions } from "./bridge.ts";
import type { ChatFiles } from "./chat-files.ts";
import { answer, ask, type ChatMessage, type ChatRecord, hold, settle } from "./chat-record.ts";
import { GUESSED, prepareSend, RESTORED } from "./prepare-send.ts";
import type { Agent } from "./probe.ts";

const SILENCE_MS = 600_000;
/** What has come of an answer is kept this often. */
const KEEP_MS = 1000;

export interface Sending extends SendOptions {
  /** This process has sent something in the conversation before. */
  readonly hasBegun: boolean;
}

/** The record as it is on disk. */
interface Kept {
  chat: ChatRecord;
  save(chat: ChatRecord): void;
}

export async function* sendNow(
  options: BridgeOptions,
  agent: Agent,
  id: string,
  text: string,
  how: Sending,
): AsyncGenerator<BridgeEvent> {
  const { files, driver, now } = options;
  const unlock = files.lock(id);
  if (!unlock) throw busy(id);
  const claims = createClaims(options);
  try {
    const loaded = files.load(id);
    const { cliSession, isImprecise } = loaded;
    if (cliSession !== undefined && !isImprecise && how.keepsContext !== false)
      await claims.take(cliSession, loaded.workspace);
    const { chat, prompt, notices } = await prepareSend(options, loaded, text, how);
    const kept = keeper(files, ask(chat, text, now()));
    for (const notice of notices) yield { kind: "notice", text: notice, isError: false };
    let outcome = yield* exchange(options, agent, kept, prompt, { ...how, claims });
    if (isGone(outcome, driver.explain)) {
      // It went between our look and the program's start.
      const { messages } = kept.chat;
      const remembered = { ...kept.chat, messages: messages.slice(0, messages.findLastIndex(isAsked)) };
      kept.save(hold(kept.chat, await options.restore(remembered), true));
      yield { kind: "notice", text: RESTORED, isError: false };
      outcome = yield* exchange(options, agent, kept, prompt, { ...how, claims });
    }
    kept.save(settle(answer(kept.chat, toMessage(outcome, agent, how), now())));
    if (outcome.end.code !== 0 && driver.explain(complaintsOf(outcome)) === "logged-out")
      throw new AppError("logged-out", `${agent.path} is not logged in`, driver.login);
    yield toFinished(kept.chat, outcome);
  } finally {
    claims.release();
    unlock();
  }
}

interface Claims {
  /** Throws where another rethread has it. */
  take(cliSession: string, folder: string): Promise<void>;
  release(): void;
}

/** The program's sessions that this message goes to: one, and another where the first is gone. */
function createClaims({ claim }: Pick<BridgeOptions, "claim">): Claims {
  const taken = new Map<string, () => void>();
  return {
    async take(cliSession, folder) {
      if (!taken.has(cliSession)) taken.set(cliSession, await claim(cliSession, folder));
    },
    release() {
      for (const release of taken.values()) release();
    },
  };
}

const isAsked = ({ role }: ChatMessage): boolean => role === "user";

const isGone = (outcome: Outcome, explain: (complaints: string) => string): boolean =>
  outcome.end.code !== 0 && outcome.end.code !== null && explain(complaintsOf(outcome)) === "gone";

const complaintsOf = ({ end, complaint = "" }: Outcome): string => `${end.stderr}\n${complaint}`;

function keeper(files: ChatFiles, first: ChatRecord): Kept {
  const kept: Kept = {
    chat: first,
    save(chat) {
      files.save(chat);
      kept.chat = chat;
    },
  };
  kept.save(first);
  return kept;
}

/** Runs the program to its end. If the caller stops reading, the message is recorded as cancelled. */
async function* exchange(
  options: BridgeOptions,
  agent: Agent,
  kept: Kept,
  prompt: string,
  how: Sending & { readonly claims: Claims },
): AsyncGenerator<BridgeEvent, Outcome> {
  const { driver, now } = options;
  const mode = startModeOf(kept.chat, agent, how);
  // Where the last session is asked for, it is most likely the one that was found before.
  const meant = "id" in mode ? mode.id : mode.start === "continue" ? kept.chat.cliSession : undefined;
  if (meant !== undefined) await how.claims.take(meant, kept.chat.workspace);
  if (mode.start === "named") kept.save(hold(kept.chat, mode.id, true));
  const { workspace } = kept.chat;
  const model = how.model ?? kept.chat.model;
  const before = {
    since: now(),
    known: mode.start === "unnamed" ? await options.known() : new Set<string>(),
  };
  const place = mode.start === "resume" ? await options.logEnd(mode.id) : 0;
  const run = converse(driver, agent, {
    mode,
    message: { text: prompt, allowsTools: how.allowsTools ?? true, ...(model !== undefined && { model }) },
    folder: workspace,
    vars: options.vars,
    silenceMs: how.silenceMs ?? SILENCE_MS,
    ...(how.signal && { signal: how.signal }),
    onStart: (answering) => kept.save({ ...kept.chat, answering }),
  });
  let keptAt = performance.now();
  let so: Gathered | undefined;
  let outcome: Outcome | undefined;
  try {
    for (;;) {
      const next = await run.next();
      if (next.done) {
        outcome = next.value;
        break;
      }
      so = next.value.so;
      if (performance.now() - keptAt > KEEP_MS) {
        kept.save(answer(kept.chat, partOf(so, "interrupted"), now()));
        keptAt = performance.now();
      }
      if (next.value.event.kind !== "end") yield next.value.event;
    }
  } finally {
    if (!outcome) {
      await run.return(undefined as never);
      kept.save(settle(answer(kept.chat, partOf(so, "cancelled"), now())));
    }
  }
  if ("id" in mode && outcome.cliSession !== undefined && outcome.cliSession !== mode.id)
    return { ...outcome, strayed: outcome.cliSession };
  const found =
    outcome.cliSession ??
    (mode.start === "unnamed" ? await options.capture({ folder: workspace, ...before }) : undefined);
  if (found !== undefined && mode.start !== "alone")
    kept.save(hold(kept.chat, found, mode.start !== "continue"));
  if (mode.start === "continue") {
    kept.save({ ...kept.chat, isImprecise: true });
    yield { kind: "notice", text: GUESSED, isError: false };
  }
  // When the last session was asked for, it is not known which log to read, or from where.
  if (found === undefined || mode.start === "continue") return outcome;
  if (mode.start !== "alone") kept.save({ ...kept.chat, logEnd: await options.logEnd(found) });
  return { ...outcome, usage: { ...outcome.usage, ...(await options.spentSince(found, place)) } };
}

const startModeOf = (
  chat: ChatRecord,
  { can }: Agent,
  { hasBegun, keepsContext = true }: Sending,
): StartMode =>
  decideStartMode({
    ...(chat.cliSession !== undefined && !chat.isImprecise && { cliSession: chat.cliSession }),
    hasBegun,
    keepsContext,
    takesId: can.takesId,
    newId: randomUUID(),
  });

const partOf = (
  { text, tools, usage }: Gathered = { text: "", tools: [], usage: {} },
  state: NonNullable<ChatMessage["state"]>,
): Omit<ChatMessage, "role" | "at"> => ({
  text: text.trimEnd(),
  state,
  ...(tools.length > 0 && { tools }),
  ...(Object.keys(usage).length > 0 && { usage }),
});

function toMessage(outcome: Outcome, { can }: Agent, { signal }: Sending): Omit<ChatMessage, "role" | "at"> {
  const { end, ended, strayed, text } = outcome;
  // A program that reports events also reports its end; of any other only the text is known.
  const isOver = can.tellsEvents ? ended === "well" : text.trim() !== "";
  if (end.how === "exited" && end.code === 0 && isOver && strayed === undefined)
    return partOf(outcome, "whole");
  if (signal?.aborted) return partOf(outcome, "cancelled");
  return { ...partOf(outcome, "failed"), reason: reasonOf(outcome) };
}

function reasonOf({ end, ended, complaint, babble, strayed, text }: Outcome): string {
  if (end.how === "hung") return "the program printed nothing for too long and was stopped";
  if (strayed !== undefined) return `it answered in another session, ${strayed}`;
  if (end.how === "exited" && end.code === 0 && complaint === undefined && ended === undefined)
    return text.trim() !== ""
      ? "it stopped before the end of its answer"
      : babble === undefined
        ? "it ended without printing anything"
        : `it printed something that is not an answer: ${babble}`;
  const line =
    end.stderr
      .trim()
      .split("\n")[0]
      ?.replace(/^Error: /, "") ?? "";
  return complaint ?? (line !== "" ? line : ended === "badly" ? "it reported a failure" : end.detail);
}

function toFinished(chat: ChatRecord, { usage }: Outcome): Finished {
  const { text = "", state = "whole", reason } = chat.messages.at(-1) ?? {};
  return {
    kind: "finished",
    state,
    answer: text,
    ...(chat.cliSession !== undefined && { cliSession: chat.cliSession }),
    isImprecise: chat.isImprecise === true,
    usage,
    ...(reason !== undefined && { reason }),
  };
}

const busy = (id: string): AppError =>
  new AppError(
    "session-busy",
    `Another process is sending a message in conversation ${id}`,
    "Wait for its answer, then send again",
  );
