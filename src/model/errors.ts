/** The one error type, and the table that fixes what each code means on every surface. */

/** Each code fixes the exit code and the HTTP status, so no surface invents its own. */
export const ERROR_CODES = {
  usage: { exit: 2, status: 400, means: "the command line or request could not be understood" },
  "session-not-found": { exit: 3, status: 404, means: "no session goes by that name" },
  "session-ambiguous": { exit: 3, status: 409, means: "several sessions go by that name" },
  "turn-not-found": { exit: 3, status: 404, means: "the session has no such turn" },
  "checkpoint-not-found": { exit: 3, status: 404, means: "the session has no such checkpoint" },
  "nothing-found": { exit: 3, status: 404, means: "no agent keeps sessions on this machine" },
  unreadable: { exit: 4, status: 422, means: "the session exists but cannot be read at all" },
  "not-supported": { exit: 4, status: 422, means: "this source cannot do that" },
  "agent-running": { exit: 5, status: 409, means: "the agent's own program has open what would be written" },
  "vscode-running": { exit: 5, status: 409, means: "VS Code is running, and would write over the change" },
  "session-busy": { exit: 5, status: 409, means: "the session is open in its own program" },
  "session-changed": { exit: 5, status: 409, means: "the session changed since the plan was made" },
  "changed-since": { exit: 5, status: 409, means: "what would be undone was changed by somebody since" },
  "write-busy": { exit: 5, status: 409, means: "another rethread is writing" },
  "operation-not-found": { exit: 3, status: 404, means: "no write goes by that name" },
  "not-undoable": { exit: 4, status: 409, means: "the write was undone already, or never took place" },
  "needs-yes": { exit: 2, status: 400, means: "a change must be agreed to, and nobody was there to ask" },
  "summary-failed": { exit: 4, status: 502, means: "who was asked for a summary gave none that can be used" },
  "write-failed": { exit: 6, status: 500, means: "a write failed, and the old state was put back" },
  "write-unverified": {
    exit: 6,
    status: 500,
    means: "what was written read back wrong; the old state is back",
  },
  "write-interrupted": {
    exit: 6,
    status: 500,
    means: "a write failed half-way, and could not be taken back yet",
  },
  "format-newer": {
    exit: 4,
    status: 422,
    means: "the agent's files are newer than this rethread knows, so they are not changed",
  },
  "bundle-unknown": { exit: 4, status: 415, means: "the file is nothing that can be imported" },
  "bundle-newer": { exit: 4, status: 422, means: "the bundle was made by a newer version" },
  "bundle-damaged": { exit: 4, status: 422, means: "the bundle is not whole, or not what it says it is" },
  "bundle-unsafe": {
    exit: 4,
    status: 422,
    means: "the bundle would write where it must not, or without end",
  },
  "transcript-invalid": {
    exit: 4,
    status: 422,
    means: "the transcript is not as the program that imports it demands",
  },
  "session-exists": { exit: 4, status: 409, means: "another session of that id is already there" },
  "list-damaged": {
    exit: 4,
    status: 422,
    means: "the agent's own list of sessions is damaged, and a write would cost all of it",
  },
  "list-full": { exit: 4, status: 409, means: "the agent's own list of sessions takes no more" },
  "file-exists": { exit: 4, status: 409, means: "a file of that name is already there" },
  "place-protected": {
    exit: 4,
    status: 403,
    means: "the file would be written into the home of an agent or of rethread",
  },
  "outside-workspace": {
    exit: 4,
    status: 403,
    means: "files outside the folder that the session is about would be changed",
  },
  "permission-denied": { exit: 4, status: 403, means: "the operating system refused access" },
  "config-invalid": { exit: 2, status: 500, means: "config.json or a variable says what cannot be meant" },
  "session-gone": { exit: 4, status: 410, means: "the session's files are gone, and no copy was kept" },
  "state-damaged": { exit: 6, status: 500, means: "the file with what only rethread knows is damaged" },
  "vault-damaged": { exit: 6, status: 500, means: "a copy that was kept in the vault is damaged" },
  "store-newer": { exit: 6, status: 500, means: "our database was written by a newer version" },
  "store-unusable": { exit: 6, status: 500, means: "our database cannot be opened or written here" },
  "store-busy": { exit: 6, status: 503, means: "another process is writing our database" },
  "system-failed": { exit: 6, status: 500, means: "the operating system failed on a file or a program" },
  "disk-full": { exit: 6, status: 507, means: "there is no space left" },
  "sql-syntax": { exit: 2, status: 400, means: "the query is not valid SQL, or names what is not there" },
  "sql-many-statements": { exit: 2, status: 400, means: "more than one SQL statement at once" },
  "sql-refused": { exit: 4, status: 403, means: "the query asks for more than reading the store" },
  "sql-failed": { exit: 4, status: 422, means: "the query is valid, but failed while it ran" },
  "sql-timeout": { exit: 4, status: 422, means: "the query took too long and was stopped" },
  "sql-too-much-memory": { exit: 4, status: 422, means: "the query took too much memory and was stopped" },
  "sql-too-large": { exit: 4, status: 413, means: "a value or the whole result of the query is too large" },
  "workspace-missing": { exit: 4, status: 410, means: "the folder that the work is about is gone" },
  "program-missing": { exit: 4, status: 503, means: "the agent's program is not on this machine" },
  "program-too-old": { exit: 4, status: 503, means: "the agent's program lacks what is needed" },
  "program-failed": { exit: 4, status: 502, means: "the agent's program ended with an error" },
  "logged-out": { exit: 4, status: 503, means: "nobody is logged in to the agent's program" },
  internal: { exit: 70, status: 500, means: "a defect in rethread" },
} as const satisfies Record<string, { exit: number; status: number; means: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;

/** A failure the user can act on. Anything else that is thrown is a bug, and stays a plain Error. */
export class AppError extends Error {
  override readonly name = "AppError";
  readonly code: ErrorCode;
  /** The one thing to try next. */
  readonly hint: string;
  constructor(code: ErrorCode, message: string, hint: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.hint = hint;
  }
  get exitCode(): number {
    return ERROR_CODES[this.code].exit;
  }
  get status(): number {
    return ERROR_CODES[this.code].status;
  }
}
