/** The one error type, and the table that defines each error code for every surface. */
import { type Advice, toHint } from "./remedy.ts";
import type { Session } from "./session/session.ts";

/** Each code fixes the exit code and the HTTP status, so no surface invents its own. */
export const ERROR_CODES = {
  usage: { exit: 2, status: 400, means: "the command line or request is not valid" },
  "session-not-found": { exit: 3, status: 404, means: "no session matches that name" },
  "session-ambiguous": { exit: 3, status: 409, means: "several sessions match that name" },
  "turn-not-found": { exit: 3, status: 404, means: "the session has no such turn" },
  "checkpoint-not-found": { exit: 3, status: 404, means: "the session has no such checkpoint" },
  "record-not-found": { exit: 3, status: 404, means: "the session has no such record" },
  "image-not-found": { exit: 3, status: 404, means: "the session has no such image" },
  "image-unknown": { exit: 4, status: 415, means: "the image is of no type that is shown" },
  "image-left-out": {
    exit: 4,
    status: 410,
    means: "the image stayed on the machine that its session comes from",
  },
  "image-too-large": { exit: 4, status: 413, means: "the image has too many bytes or pixels to be shown" },
  "nothing-found": { exit: 3, status: 404, means: "no agent keeps sessions on this machine" },
  aborted: { exit: 130, status: 499, means: "the caller stopped it before it was done" },
  "plan-not-found": {
    exit: 3,
    status: 404,
    means: "no plan has that fingerprint: it was applied, has expired, or was never made",
  },
  "file-not-found": { exit: 3, status: 404, means: "there is no such file" },
  "file-not-text": {
    exit: 4,
    status: 422,
    means: "the file has no lines: it is binary, a folder or too large",
  },
  "file-refused": {
    exit: 4,
    status: 403,
    means: "the file is in no folder that sessions are about, is ignored by git, or is there for secrets",
  },
  unreadable: { exit: 4, status: 422, means: "the session exists but cannot be read at all" },
  "not-supported": { exit: 4, status: 422, means: "this source cannot do that" },
  "agent-running": {
    exit: 5,
    status: 409,
    means: "the agent's own program has the file open that would be written",
  },
  "vscode-running": { exit: 5, status: 409, means: "VS Code is running and would overwrite the change" },
  "session-busy": { exit: 5, status: 409, means: "the session is open in its own program" },
  "lease-lost": {
    exit: 5,
    status: 409,
    means: "another program has taken over the session, so this one can no longer write it",
  },
  "session-changed": {
    exit: 5,
    status: 409,
    means: "the session, or another file to change, is not as the plan found it",
  },
  "changed-since": { exit: 5, status: 409, means: "what would be undone was changed since the write" },
  "write-busy": { exit: 5, status: 409, means: "another rethread is writing" },
  "operation-not-found": { exit: 3, status: 404, means: "no write matches that name" },
  "not-undoable": { exit: 4, status: 409, means: "the write was undone already, or never took place" },
  "needs-yes": { exit: 2, status: 400, means: "a change needs confirmation, and nobody was there to ask" },
  "summary-failed": {
    exit: 4,
    status: 502,
    means: "the command that was asked for a summary gave none that can be used",
  },
  "write-failed": { exit: 6, status: 500, means: "a write failed, and the old state was restored" },
  "write-unverified": {
    exit: 6,
    status: 500,
    means: "what was written did not read back correctly, and the old state was restored",
  },
  "write-interrupted": {
    exit: 6,
    status: 500,
    means: "a write failed half-way and could not be undone yet",
  },
  "format-newer": {
    exit: 4,
    status: 422,
    means: "the agent's files have a newer format than this rethread knows, so they are not changed",
  },
  "bundle-unknown": { exit: 4, status: 415, means: "the file is not in a format that can be imported" },
  "bundle-newer": { exit: 4, status: 422, means: "the bundle was made by a newer version" },
  "bundle-damaged": {
    exit: 4,
    status: 422,
    means: "the bundle is incomplete, or does not match its manifest",
  },
  "bundle-unsafe": {
    exit: 4,
    status: 422,
    means: "the bundle would write to a forbidden place, or without limit",
  },
  "transcript-invalid": {
    exit: 4,
    status: 422,
    means: "the transcript does not meet the requirements of the program that imports it",
  },
  "session-exists": { exit: 4, status: 409, means: "another session already has that id" },
  "list-damaged": {
    exit: 4,
    status: 422,
    means: "the agent's own list of sessions is damaged, and a write would lose all of it",
  },
  "list-full": { exit: 4, status: 409, means: "the agent's own list of sessions is full" },
  "file-exists": { exit: 4, status: 409, means: "a file with that name already exists" },
  "place-protected": {
    exit: 4,
    status: 403,
    means: "the file would be written into the home of an agent or of rethread",
  },
  "no-repository": { exit: 3, status: 422, means: "the folder is in no repository, and none was named" },
  "repository-ambiguous": { exit: 3, status: 409, means: "several repositories match that name" },
  "board-item-not-found": { exit: 3, status: 404, means: "the context board has no such item" },
  "board-item-ambiguous": { exit: 3, status: 409, means: "several branches have an item of that name" },
  "board-item-exists": { exit: 4, status: 409, means: "the context board already has an item of that name" },
  "board-full": { exit: 4, status: 409, means: "the context board of the repository has no room left" },
  "board-read-only": { exit: 4, status: 403, means: "another program keeps this item of the context board" },
  "secret-refused": { exit: 4, status: 422, means: "the text contains a secret, and is not kept" },
  "outside-workspace": {
    exit: 4,
    status: 403,
    means: "files outside the session's folder would be changed",
  },
  "permission-denied": { exit: 4, status: 403, means: "the operating system refused access" },
  "config-invalid": { exit: 2, status: 500, means: "config.json or a variable has an invalid value" },
  "agent-config-invalid": {
    exit: 4,
    status: 422,
    means: "an agent's settings are not valid, so they are not changed",
  },
  "session-gone": { exit: 4, status: 410, means: "the session's files are gone, and no copy was kept" },
  "state-damaged": {
    exit: 6,
    status: 500,
    means: "state.db, which holds what only rethread knows, is damaged",
  },
  "vault-damaged": { exit: 6, status: 500, means: "a copy in the vault is damaged" },
  "store-newer": { exit: 6, status: 500, means: "rethread's database was written by a newer version" },
  "store-unusable": { exit: 6, status: 500, means: "rethread's database cannot be opened or written here" },
  "store-busy": { exit: 6, status: 503, means: "another process is writing to rethread's database" },
  "system-failed": { exit: 6, status: 500, means: "the operating system failed on a file or a program" },
  "disk-full": { exit: 6, status: 507, means: "there is no space left" },
  "sql-syntax": {
    exit: 2,
    status: 400,
    means: "the query is not valid SQL, or names something that does not exist",
  },
  "sql-many-statements": { exit: 2, status: 400, means: "more than one SQL statement at once" },
  "sql-refused": { exit: 4, status: 403, means: "the query would do more than read the store" },
  "sql-failed": { exit: 4, status: 422, means: "the query is valid, but failed while it ran" },
  "sql-timeout": { exit: 4, status: 422, means: "the query took too long and was stopped" },
  "sql-too-much-memory": { exit: 4, status: 422, means: "the query took too much memory and was stopped" },
  "sql-too-large": { exit: 4, status: 413, means: "a value or the whole result of the query is too large" },
  "workspace-missing": { exit: 4, status: 410, means: "the session's folder is gone" },
  "workspace-replaced": {
    exit: 4,
    status: 410,
    means:
      "the session's folder was deleted and created again, so its program looks for the session elsewhere",
  },
  "program-missing": { exit: 4, status: 503, means: "the agent's program was not found on this machine" },
  "program-too-old": { exit: 4, status: 503, means: "the agent's program is too old for this" },
  "program-failed": { exit: 4, status: 502, means: "the agent's program ended with an error" },
  "logged-out": { exit: 4, status: 503, means: "nobody is logged in to the agent's program" },
  "not-signed-in": { exit: 4, status: 401, means: "the request has no valid token or cookie" },
  "host-refused": { exit: 4, status: 403, means: "the request names a host that is not served" },
  "origin-refused": { exit: 4, status: 403, means: "the request comes from a page of another site" },
  "read-only": { exit: 4, status: 403, means: "the server was started with --read-only" },
  "route-not-found": { exit: 3, status: 404, means: "the API has no such address" },
  "method-not-allowed": { exit: 2, status: 405, means: "the address does not take that method" },
  "too-slow": { exit: 4, status: 408, means: "the request did not arrive in time" },
  "too-large": { exit: 4, status: 413, means: "the request is larger than allowed" },
  "media-not-supported": { exit: 2, status: 415, means: "the body of the request is not JSON" },
  "too-many-requests": { exit: 4, status: 429, means: "too many requests, or wrong tokens, in a short time" },
  "database-unavailable": {
    exit: 6,
    status: 503,
    means: "the hub's PostgreSQL server cannot be started or reached",
  },
  "hub-not-set": { exit: 2, status: 400, means: "no hub is known on this machine" },
  "hub-unreachable": { exit: 6, status: 502, means: "the hub does not answer" },
  "hub-refused": { exit: 4, status: 403, means: "the hub does not allow that with this token" },
  "hub-conflict": { exit: 5, status: 409, means: "the hub has another state of the session than expected" },
  "consent-needed": { exit: 2, status: 403, means: "nothing is sent before a person has agreed to it" },
  "session-sealed": {
    exit: 4,
    status: 403,
    means: "the session is encrypted, and only its owner's machines can read it",
  },
  "share-not-found": { exit: 3, status: 404, means: "nothing is shared under that id" },
  "user-not-found": { exit: 3, status: 404, means: "the hub has no such user" },
  "user-exists": { exit: 4, status: 409, means: "the hub already has a user of that name" },
  "team-not-found": { exit: 3, status: 404, means: "the hub has no such team" },
  "share-exists": { exit: 4, status: 409, means: "it is shared with another team already" },
  "team-exists": { exit: 4, status: 409, means: "the hub already has a team of that name" },
  "port-taken": { exit: 6, status: 500, means: "another program listens on that port" },
  internal: { exit: 70, status: 500, means: "a defect in rethread" },
} as const satisfies Record<string, { exit: number; status: number; means: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** A name that several sessions have, for surfaces that let people choose one of them. */
export interface Ambiguity {
  /** As it was typed. */
  readonly name: string;
  /** Most recently active first. */
  readonly matches: readonly SessionMatch[];
}

export interface SessionMatch {
  readonly session: Session;
  /** The shortest name, of eight letters at least, that means this session alone. */
  readonly name: string;
}

/** A failure the user can act on. Anything else that is thrown is a bug, and stays a plain Error. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  /** The one thing to try next; a surface of its own kind words the remedy in it. */
  readonly advice: Advice;
  /** The same as a sentence, with the command that does it. */
  readonly hint: string;
  readonly ambiguity?: Ambiguity;
  constructor(code: ErrorCode, message: string, advice: Advice, cause?: unknown, ambiguity?: Ambiguity) {
    super(message, { cause });
    this.code = code;
    this.advice = advice;
    this.hint = toHint(advice);
    if (ambiguity) this.ambiguity = ambiguity;
  }
  get exitCode(): number {
    return ERROR_CODES[this.code].exit;
  }
  get status(): number {
    return ERROR_CODES[this.code].status;
  }
}
