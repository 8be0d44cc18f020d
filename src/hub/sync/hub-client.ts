/** Talks to a hub over HTTP: each request is repeated while that can help, and its failures are ours to word. */
import { AppError, ERROR_CODES, type ErrorCode } from "../../model/errors.ts";
import { shellLine } from "../../model/text/shell-words.ts";
import { refuseAborted } from "../../platform/fs/abortable.ts";
import { reasonOf } from "../../platform/fs/session-fs.ts";
import {
  type MachineName,
  type OwnSession,
  PUSH_MEDIA,
  type PushAnswer,
  type SessionStates,
} from "../protocol.ts";
import type { HubAccess } from "./address.ts";
import {
  type Read,
  readDeletion,
  readMe,
  readObject,
  readOwn,
  readPushed,
  readShared,
  readShares,
  readStates,
  readUnshared,
} from "./answers.ts";
import { PATIENT, type Patience, retryAfterMs, waitMs } from "./retry.ts";

export interface HubMe {
  readonly user: string;
  readonly scopes: readonly string[];
  readonly teams: readonly { readonly name: string }[];
  readonly machines: readonly MachineName[];
}

export interface Deletion {
  readonly rawFiles: number;
  readonly rawEvents: number;
  readonly rows: number;
}

/** What an account shows a team: a repository with all sessions to come, or one session. */
export interface HubShare {
  readonly id: string;
  readonly team: string;
  readonly repository?: string;
  /** By the hub's name for it. */
  readonly session?: string;
  readonly sharedAt: string;
  readonly sessionCount: number;
}

export interface HubClient {
  readonly url: string;
  me(): Promise<HubMe>;
  state(machine: string, sessions: readonly { source: string; id: string }[]): Promise<SessionStates>;
  push(frame: Uint8Array): Promise<PushAnswer>;
  own(): Promise<readonly OwnSession[]>;
  /** The bytes of a session's raw files, as frames. */
  raw(session: string): Promise<AsyncIterable<Uint8Array>>;
  /** `isForGood`: the machine that has it is told not to send it again. */
  delete(session: string, how?: { readonly isForGood?: boolean }): Promise<Deletion>;
  shares(): Promise<readonly HubShare[]>;
  /** `changed`: how many sessions others see now. */
  share(wish: {
    readonly team: string;
    readonly repository?: string;
    readonly session?: string;
  }): Promise<HubShare & { readonly changed: number }>;
  /** How many sessions others no longer see. */
  unshare(id: string): Promise<number>;
  /** An answer of the API in JSON; `body` makes it a POST. */
  ask(path: string, body?: object): Promise<Readonly<Record<string, unknown>>>;
}

export interface HubClientOptions extends HubAccess {
  readonly signal?: AbortSignal;
  readonly patience?: Patience;
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

/** So long a hub may say nothing: until its answer begins, and between any two parts of it. */
const TIMEOUT_MS = 60_000;
const LARGEST_ANSWER = 64 << 20;

export function createHubClient(options: HubClientOptions): HubClient {
  const { url, token, signal, patience = PATIENT, timeoutMs = TIMEOUT_MS, fetch: send = fetch } = options;

  const attempt = async <T>(
    path: string,
    init: RequestInit,
    read: (body: Body) => Promise<T>,
  ): Promise<{ readonly value: T } | Failed> => {
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(new Error("it says nothing any more")), timeoutMs);
    const body = (response: Response): Body =>
      heard(response, timer, (error) => {
        refuseAborted(signal);
        throw unreachable(url, error);
      });
    let value: T | undefined;
    try {
      const response = await send(`${url}${path}`, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${token}` },
        // The token is for this address alone.
        redirect: "manual",
        signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
      });
      if (!response.ok) return await toFailed(url, response, body(response));
      value = await read(body(response));
      return { value };
    } catch (error) {
      // An answer that breaks off is asked for again, too: every request may be repeated.
      const isOdd = error instanceof AppError && error.code !== "hub-unreachable";
      return isOdd ? { error, isPassing: false } : { error: unreachable(url, error), isPassing: true };
    } finally {
      // What is read later stops the clock itself.
      if (!isStream(value)) clearTimeout(timer);
    }
  };

  const ask = async <T>(path: string, init: RequestInit, read: (body: Body) => Promise<T>): Promise<T> => {
    for (let count = 1; ; count++) {
      refuseAborted(signal);
      const got = await attempt(path, init, read);
      if ("value" in got) return got.value;
      refuseAborted(signal);
      if (!got.isPassing || count >= patience.attempts) throw got.error;
      await patience.sleep(waitMs(patience, count, got.askedMs), signal);
    }
  };
  const json = async <T>(path: string, read: Read<T>, body?: object): Promise<T> =>
    ask(path, body === undefined ? {} : posted(JSON.stringify(body), "application/json"), asJson(url, read));

  return {
    url,
    me: () => json("/api/hub/me", readMe),
    state: (machine, sessions) => json("/api/hub/state", readStates, { machine, sessions }),
    push: (frame) => ask("/api/hub/push", posted(frame, PUSH_MEDIA), asJson(url, readPushed)),
    own: async () => (await json("/api/hub/own", readOwn)).sessions,
    raw: (session) => ask(`/api/hub/raw?${new URLSearchParams({ session })}`, {}, async (body) => body),
    delete: (session, how) => json("/api/hub/delete", readDeletion, { session, ...how }),
    shares: async () => (await json("/api/hub/shares", readShares)).shares,
    share: async (wish) => {
      const { share, changed } = await json("/api/hub/shares", readShared, wish);
      return { ...share, changed };
    },
    unshare: async (id) => {
      const path = `/api/hub/shares/${encodeURIComponent(id)}`;
      return (await ask(path, { method: "DELETE" }, asJson(url, readUnshared))).changed;
    },
    ask: (path, body) => json(path, readObject, body),
  };
}

/** What is left of an answer. */
type Body = AsyncGenerator<Uint8Array>;

const isStream = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** The parts of an answer, as long as they come. */
async function* heard({ body }: Response, timer: NodeJS.Timeout, broken: (error: unknown) => never): Body {
  try {
    for await (const part of body ?? []) {
      timer.refresh();
      yield part;
    }
  } catch (error) {
    broken(error);
  } finally {
    clearTimeout(timer);
  }
}

interface Failed {
  readonly error: AppError;
  /** It may be otherwise in a moment. */
  readonly isPassing: boolean;
  readonly askedMs?: number | undefined;
}

const posted = (body: Uint8Array | string, media: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": media },
  body: body as NonNullable<RequestInit["body"]>,
});

const asJson =
  <T>(url: string, read: Read<T>) =>
  async (body: Body): Promise<T> => {
    const answer = read(await parsed(url, body));
    if (answer === undefined) throw noHub(`${url} does not answer as a hub does`);
    return answer;
  };

async function parsed(url: string, body: Body): Promise<unknown> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > LARGEST_ANSWER) throw noHub(`${url} answers with more than anybody asked for`);
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    throw noHub(`${url} answers with something that is not JSON`);
  }
}

const noHub = (what: string): AppError =>
  new AppError(
    "hub-refused",
    what,
    "Is this the address of a hub of this version, and does nothing before it ask to sign in?",
  );

/** What the hub says of a failure, as one line; nothing where it was said by something else. */
async function toldIn(url: string, body: Body): Promise<Told | undefined> {
  try {
    const { error } = (await parsed(url, body)) as { readonly error?: Partial<Record<keyof Told, unknown>> };
    const line = (text: unknown): string | undefined =>
      typeof text === "string" ? text.replaceAll(/\s+/g, " ").slice(0, LONGEST_TOLD) : undefined;
    const [code, message, hint] = [line(error?.code), line(error?.message), line(error?.hint)];
    return { ...(code && { code }), ...(message && { message }), ...(hint && { hint }) };
  } catch {
    return undefined;
  }
}

interface Told {
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
}

const LONGEST_TOLD = 1000;

async function toFailed(url: string, { status, headers }: Response, body: Body): Promise<Failed> {
  const told = await toldIn(url, body);
  const refused = (message: string, hint: string): Failed => ({
    error: new AppError("hub-refused", message, hint),
    isPassing: false,
  });
  const why = told?.message === undefined ? `status ${status}` : told.message;
  if (status >= 300 && status < 400) return refused(...redirected(url, headers.get("location")));
  if (status === 401)
    return refused(
      `${url} does not accept the token: ${why}`,
      "Ask an admin of the hub for a new one, then: rethread hub login <url>",
    );
  // A query is refused for what it is, whoever asks.
  if (status === 403 && told?.code !== "sql-refused")
    return refused(
      `${url} does not allow that: ${why}`,
      told?.hint ?? "Ask an admin of the hub for a token with the scope that is missing",
    );
  if (status === 413 && told?.message === undefined)
    return {
      error: new AppError(
        "too-large",
        `Something before ${url} takes no request of this size`,
        "Whoever runs the hub lets its proxy take 17 MB, as its documentation shows",
      ),
      isPassing: false,
    };
  // 408: it took too long to arrive.
  if (status === 408 || status === 429 || status >= 500)
    return {
      error: new AppError(
        "hub-unreachable",
        `${url} cannot take this now: ${why}`,
        "Run the command again later: what the hub has not confirmed is sent again",
      ),
      isPassing: true,
      askedMs: retryAfterMs(headers.get("retry-after"), Date.now()),
    };
  const code =
    told?.code !== undefined && Object.hasOwn(ERROR_CODES, told.code)
      ? (told.code as ErrorCode)
      : "hub-refused";
  return {
    error: new AppError(
      code,
      told?.message ?? `${url} answers with status ${status}`,
      told?.hint ?? "Is this the address of a hub?",
    ),
    isPassing: false,
  };
}

function redirected(url: string, location: string | null): [message: string, hint: string] {
  const to = location === null ? null : URL.parse(location, url);
  const where = to === null ? "elsewhere" : `to ${to.origin}`;
  const isSecured = to?.protocol === "https:" && to.host === new URL(url).host;
  return [
    `${url} sends us ${where}, where the token does not go by itself`,
    isSecured
      ? `Log in with https: ${shellLine`rethread hub login ${to.origin}`}`
      : "Log in with the hub's own address, and look whether something before it asks to sign in",
  ];
}

function unreachable(url: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return new AppError(
    "hub-unreachable",
    `${url} does not answer: ${reasonOf(why) || "no connection"}`,
    "Look whether the hub is running and the address is right, then run the command again",
    cause,
  );
}
