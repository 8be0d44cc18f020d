/** Stores jobs, one file each: what a process in the background waits to do, and what became of it. */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { AppError } from "../../model/errors.ts";
import type { Remedy } from "../../model/remedy.ts";
import { bestOf, rankStart } from "../../model/values/id.ts";
import type { Clock } from "../../model/values/time.ts";
import { createNewFile } from "../../platform/disk/new-file.ts";
import { makeFolder, namesIn, readIfThere, removeFile } from "../../platform/disk/own-files.ts";
import { isLocked, takeWriteLock, waitForWriteLock } from "../../platform/process/write-lock.ts";

/** An operation that makes a plan, and its input. */
export interface JobChange {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface JobRequest {
  readonly changes: readonly JobChange[];
  /** The same as the user would type it, to run it again. */
  readonly command: string;
}

export interface JobFailure {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
  readonly remedy?: Remedy;
}

type KeptState = "waiting" | "running" | "done" | "failed" | "cancelled";

interface JobRecord extends JobRequest {
  readonly version: 1;
  readonly id: string;
  readonly state: KeptState;
  readonly createdAt: string;
  readonly endedAt?: string;
  /** Where relative paths start. */
  readonly folder: string;
  readonly waitsFor?: string;
  /** The writes that it made, for `undo`. */
  readonly operations: readonly string[];
  /** The write that it has begun last, noted before anything is written: a process may be killed right after it. */
  readonly begun?: string;
  readonly error?: JobFailure;
}

export type Job = Omit<JobRecord, "version" | "state"> & {
  /** `interrupted`: its process is gone, and it had not come to an end. */
  readonly state: KeptState | "interrupted";
};

export interface JobFiles {
  /** Latest first. */
  list(): Job[];
  /** By any unique start of its id. */
  find(name: string): Job;
  create(request: JobRequest, folder: string): Job;
  /** For the process of the job: it is alive as long as it has not called what this gives back. */
  attend(id: string): () => void;
  /** Changes a job that is in one of these states; undefined where it is in another one by now. */
  change(id: string, from: readonly KeptState[], to: Partial<JobRecord>): Promise<Job | undefined>;
}

const ID = /^job-[0-9a-f]{8}$/;
export const isJobName = (name: string): boolean => name.startsWith("job-");

/** A process that was just started has so long to say that it is there. */
const START_MS = 60_000;
/** So long a job that has ended is shown. */
const SHOWN_MS = 30 * 24 * 60 * 60_000;
/** So long another process may take to change the same job. */
const PATIENCE_MS = 5000;

/** `isMade` says whether a write was carried out: of a job whose process is gone, only the journal knows. */
export function openJobs(
  dataFolder: string,
  now: Clock,
  isMade: (operation: string) => boolean = () => false,
): JobFiles {
  const folder = join(dataFolder, "jobs");
  const pathOf = (id: string): string => join(folder, `${id}.json`);
  const aliveLock = (id: string): string => join(folder, `.${id}.alive`);
  const changeLock = (id: string): string => join(folder, `.${id}.change`);
  const ids = (): string[] =>
    namesIn(folder).flatMap((name) => {
      const id = name.endsWith(".json") ? name.slice(0, -".json".length) : "";
      return ID.test(id) ? [id] : [];
    });
  const save = (job: JobRecord): void => {
    makeFolder(folder);
    const file = createNewFile(pathOf(job.id), { replace: true, mode: 0o600 });
    file.write(`${JSON.stringify(job, null, 2)}\n`);
    file.finish();
  };
  const load = (id: string): JobRecord | undefined => toRecord(id, readRecord(pathOf(id)));
  const describe = ({ version: _, ...job }: JobRecord): Job => {
    const isOpen = job.state === "waiting" || job.state === "running";
    // Not forever where the clock was set back since.
    const age = Math.abs(now().getTime() - Date.parse(job.createdAt));
    const isStarting = age < START_MS && job.state === "waiting";
    const isGone = isOpen && !isStarting && !isLocked(aliveLock(job.id));
    return isGone ? whatIsLeft(job) : job;
  };
  const whatIsLeft = ({ begun, ...job }: Omit<JobRecord, "version">): Job => {
    if (begun === undefined || job.operations.includes(begun) || !isMade(begun))
      return { ...job, state: "interrupted", ...(begun !== undefined && { begun }) };
    const operations = [...job.operations, begun];
    return { ...job, operations, state: job.changes.length === 1 ? "done" : "interrupted" };
  };
  const list = (): Job[] =>
    ids()
      .flatMap((id) => load(id) ?? [])
      .map(describe)
      .sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
  const forget = (id: string): void => {
    for (const path of [pathOf(id), aliveLock(id), changeLock(id)]) removeFile(path);
  };

  return {
    list,
    find(name) {
      const [job, another] = bestOf(list(), ({ id }) => rankStart(name, id));
      if (job && !another) return job;
      throw new AppError(
        "operation-not-found",
        `${another ? "Several jobs match" : "No job matches"} "${name}"`,
        { say: "See all jobs and writes", remedy: { action: "history" } },
      );
    },
    create({ changes, command }, at) {
      for (const { id, endedAt } of list())
        if (endedAt !== undefined && now().getTime() - Date.parse(endedAt) > SHOWN_MS) forget(id);
      const job: JobRecord = {
        version: 1,
        id: `job-${randomUUID().slice(0, 8)}`,
        state: "waiting",
        createdAt: now().toISOString(),
        folder: at,
        command,
        changes,
        operations: [],
      };
      save(job);
      return describe(job);
    },
    attend(id) {
      const release = takeWriteLock(aliveLock(id));
      if (!release) throw new AppError("write-busy", `Job ${id} is running already`, "Wait for it to end");
      return release;
    },
    async change(id, from, to) {
      const release = await waitForWriteLock(changeLock(id), PATIENCE_MS);
      if (!release) throw new AppError("write-busy", `Job ${id} is being changed`, "Run the command again");
      try {
        const job = load(id);
        if (!job || !from.includes(job.state)) return undefined;
        const changed = { ...job, ...to };
        save(changed);
        return describe(changed);
      } finally {
        release();
      }
    },
  };
}

/** Nothing for what is no file, or cannot be read: a job is one line of a list, which is shown without it. */
function readRecord(path: string): string | undefined {
  try {
    return readIfThere(path)?.toString("utf8");
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    return undefined;
  }
}

/** Nothing for what another hand, or a newer rethread, has written there. */
function toRecord(id: string, text: string | undefined): JobRecord | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && value.id === id ? value : undefined;
  } catch {
    return undefined;
  }
}

const STATES: readonly unknown[] = [
  "waiting",
  "running",
  "done",
  "failed",
  "cancelled",
] satisfies readonly KeptState[];

function isRecord(value: unknown): value is JobRecord {
  if (!isObject(value)) return false;
  const { version, state, createdAt, endedAt, folder, command, waitsFor, changes, operations, begun, error } =
    value;
  return (
    version === 1 &&
    STATES.includes(state) &&
    isTime(createdAt) &&
    (endedAt === undefined || isTime(endedAt)) &&
    [folder, command].every(isText) &&
    [waitsFor, begun].every((each) => each === undefined || isText(each)) &&
    Array.isArray(operations) &&
    operations.every(isText) &&
    Array.isArray(changes) &&
    changes.every((each) => isObject(each) && isText(each.operation) && isObject(each.input)) &&
    (error === undefined || (isObject(error) && [error.code, error.message, error.hint].every(isText)))
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string";
const isTime = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(value));
