/** Isolates failures: what fails on one session becomes a problem of that session, with the reason. */
import { AppError } from "../model/errors.ts";
import type { Problem } from "../model/problem.ts";
import type { Artifact, Event, Session } from "../model/session/session.ts";
import { startsTurn } from "../model/session/turns.ts";
import { toFileTime } from "../model/values/time.ts";
import { isAborted } from "../platform/fs/abortable.ts";
import { reasonOf } from "../platform/fs/session-fs.ts";
import { guarded } from "./brief.ts";
import { titleFrom } from "./log/jsonl.ts";
import type { ReadOptions, ReadSink } from "./source.ts";

/** Whether the system gave this error: a disk that fails, a file that may not be read. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && /^E[A-Z0-9]+$/.test(String((error as NodeJS.ErrnoException).code));

/** What Node says of a file or a text that is larger than it can hold. */
const TOO_LARGE = new Set(["ERR_STRING_TOO_LONG", "ERR_FS_FILE_TOO_LARGE", "ERR_BUFFER_TOO_LARGE"]);

/** The session that a failure is about, or the folder. */
export type FailedOn = Pick<Problem, "source" | "path"> & { readonly session?: string };

/** Why it failed, for people; a defect of ours names its place in our code, so that it can be reported. That a caller stopped is no failure of the session. */
export function toProblem(error: unknown, on: FailedOn): Problem {
  if (isAborted(error)) throw error;
  const isFolder = on.session === undefined;
  if (error instanceof AppError || isSystemError(error))
    return { ...on, code: isFolder ? "folder-unreadable" : "session-unreadable", message: reasonOf(error) };
  if (error instanceof Error && TOO_LARGE.has(String((error as NodeJS.ErrnoException).code)))
    return { ...on, code: "session-unreadable", message: "it is too large to read" };
  return {
    ...on,
    code: "reader-failed",
    message: `rethread failed on it: ${describe(error)}; please report it`,
  };
}

const LONGEST_PLACE = 100;

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const frame = error.stack?.split("\n").find((line) => /^ {4}at /.test(line)) ?? "";
  const place = /([\w-]+(?:\.[\w-]+)*\.[cm]?[jt]s:\d+):\d+\)?$/.exec(frame.slice(-LONGEST_PLACE))?.[1];
  return `${error.message}${place === undefined ? "" : ` (${place})`}`;
}

export const failedOn = ({ source, id, path }: Pick<Artifact, "source" | "id" | "path">): FailedOn => ({
  source,
  session: id,
  path,
});

/**
 * Reads a session; an error of the reader becomes a problem, and the session has what was read until then. An error of
 * the sink (a store that cannot be written) is rethrown.
 */
export async function readIsolated(
  artifact: Artifact,
  sink: ReadSink,
  options: ReadOptions,
  read: (sink: ReadSink, options: ReadOptions) => Promise<Session>,
): Promise<Session> {
  const head = createBareHead(artifact);
  let refused: { readonly error: unknown } | undefined;
  const refuse = (error: unknown): never => {
    refused ??= { error };
    throw error;
  };
  const passing =
    <T>(give: (item: T) => void) =>
    (item: T): void => {
      try {
        give(item);
      } catch (error) {
        refuse(error);
      }
    };
  const { onBookmark } = options;
  try {
    const session = await read(
      {
        event: passing((event) => {
          head.event(event);
          sink.event(event);
        }),
        problem: passing(sink.problem),
        ...(sink.brief && { brief: guarded(sink.brief, refuse) }),
      },
      { ...options, ...(onBookmark && { onBookmark: passing(onBookmark) }) },
    );
    // A reader that went on all the same must not hide it.
    if (refused) throw refused.error;
    return session;
  } catch (error) {
    if (refused) throw refused.error;
    if (error instanceof AppError) throw error;
    sink.problem(toProblem(error, failedOn(artifact)));
    return head.session();
  }
}

/** Does something about one session or folder; what it throws becomes a problem of that, and nothing is given back. */
export async function orProblem<T>(
  on: FailedOn,
  sink: Pick<ReadSink, "problem">,
  work: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    sink.problem(toProblem(error, on));
    return undefined;
  }
}

/** A minimal session for when its reader failed. */
function createBareHead({ source, id, path, fingerprint, listed }: Artifact) {
  let turns = 0;
  let title = listed?.title;
  return {
    event(event: Event): void {
      if (!startsTurn(event)) return;
      turns++;
      title ??= titleFrom(event.text);
    },
    session(): Session {
      const updatedAt = toFileTime(fingerprint.mtimeMs);
      return {
        source,
        id,
        title: title ?? "",
        turns,
        problems: 1,
        models: [],
        path,
        bytes: fingerprint.size,
        ...(listed?.workspace !== undefined && { workspace: listed.workspace }),
        ...(updatedAt !== undefined && { updatedAt }),
      };
    },
  };
}

/** The same for callers that could not even begin to read it. */
export const unreadSession = (artifact: Artifact): Session => createBareHead(artifact).session();
