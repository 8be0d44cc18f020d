/** Talks to a hub over HTTP: each request is repeated while that can help, and its failures are ours to word. */
import { AppError, ERROR_CODES, type ErrorCode } from "../../model/errors.ts";
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
  /** An answer of the API in JSON; `body` makes it a POST. */
  ask(path: string, body?: object): Promise<Readonly<Record<string, unknown>>>;
}

export interface HubClientOptions extends HubAccess {
  readonly signal?: AbortSignal;
  readonly patience?: Patience;
  readonly fetch?: typeof fetch;
}

/** Of a single attempt, until its answer begins. */
const TIMEOUT_MS = 60_000;
const LARGEST_ANSWER = 64 << 20;

export function createHubClient(options: HubClientOptions): HubClient {
  const { url, token, signal, patience = PATIENT, fetch: send = fetch } = options;

  const attempt = async (path: string, init: RequestInit): Promise<Response | Failed> => {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const response = await send(`${url}${path}`, {
        ...init,
        headers: { ...init.headers, authorization: `Bearer ${token}` },
        // The token is for this address alone.
        redirect: "error",
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      });
      return response.ok ? response : await toFailed(url, response);
    } catch (error) {
      return { error: unreachable(url, error), isPassing: true };
    }
  };

  const ask = async <T>(
    path: string,
    init: RequestInit,
    read: (response: Response) => Promise<T>,
  ): Promise<T> => {
    for (let count = 1; ; count++) {
      refuseAborted(signal);
      const got = await attempt(path, init);
      const failed = got instanceof Response ? await readOr(got, read) : got;
      if ("value" in failed) return failed.value;
      refuseAborted(signal);
      if (!failed.isPassing || count >= patience.attempts) throw failed.error;
      await patience.sleep(waitMs(patience, count, failed.askedMs), signal);
    }
  };
  /** An answer that breaks off is asked for again, too: every request may be repeated. */
  const readOr = async <T>(
    response: Response,
    read: (response: Response) => Promise<T>,
  ): Promise<{ readonly value: T } | Failed> => {
    try {
      return { value: await read(response) };
    } catch (error) {
      return { error: unreachable(url, error), isPassing: true };
    }
  };
  const json = async <T>(path: string, body?: object): Promise<T> =>
    ask(path, body === undefined ? {} : posted(JSON.stringify(body), "application/json"), readJson<T>);

  return {
    url,
    me: () => json("/api/hub/me"),
    async state(machine, asked) {
      const { sessions, deleted = [] } = await json<Pick<SessionStates, "sessions"> & Partial<SessionStates>>(
        "/api/hub/state",
        { machine, sessions: asked },
      );
      return { sessions, deleted };
    },
    push: (frame) => ask("/api/hub/push", posted(frame, PUSH_MEDIA), readJson<PushAnswer>),
    own: async () => (await json<{ sessions: OwnSession[] }>("/api/hub/own")).sessions,
    raw: (session) =>
      ask(`/api/hub/raw?${new URLSearchParams({ session })}`, {}, async ({ body }) => body ?? nothing()),
    delete: (session, how) => json("/api/hub/delete", { session, ...how }),
    ask: json,
  };
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // An answer without a body.
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

async function readJson<T>(response: Response): Promise<T> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? nothing()) {
    size += piece.length;
    if (size > LARGEST_ANSWER) throw new Error("its answer is too large");
    pieces.push(piece);
  }
  return JSON.parse(Buffer.concat(pieces).toString("utf8")) as T;
}

async function toFailed(url: string, response: Response): Promise<Failed> {
  const { status } = response;
  const told = await readJson<{ error?: { code?: string; message?: string; hint?: string } }>(response)
    .then(({ error }) => error)
    .catch(() => undefined);
  const askedMs = retryAfterMs(response.headers.get("retry-after"), Date.now());
  const what = told?.message ?? `status ${status}`;
  if (status === 401)
    return {
      error: new AppError(
        "hub-refused",
        `${url} does not accept the token: ${what}`,
        "Ask an admin of the hub for a new one, then: rethread hub login <url>",
      ),
      isPassing: false,
    };
  if (status === 403)
    return {
      error: new AppError(
        "hub-refused",
        `${url} does not allow that: ${what}`,
        told?.hint ?? "Ask an admin of the hub for a token with the scope that is missing",
      ),
      isPassing: false,
    };
  if (status === 429 || status >= 500)
    return {
      error: unreachable(url, new Error(`it answers with status ${status}, ${what}`)),
      isPassing: true,
      askedMs,
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

function unreachable(url: string, cause: unknown): AppError {
  const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return new AppError(
    "hub-unreachable",
    `${url} does not answer: ${reasonOf(why) || "no connection"}`,
    "Look whether the hub is running and the address is right, then run the command again",
    cause,
  );
}
