/** Reads one record of a session as its program wrote it. */
import { AppError } from "../model/errors.ts";
import type { Artifact } from "../model/session/session.ts";
import { formatKey } from "../model/values/id.ts";
import type { Catalog, Packing } from "../sources/catalog.ts";
import { type KnownLine, type RecordText, readRecordText } from "../sources/log/record-text.ts";
import type { Progress } from "./heads.ts";
import { locateSession, type Naming } from "./resolve.ts";

export interface RecordRequest {
  /** Counted from 1. */
  readonly line: number;
  /** Where the record is not in the session's own file; one that `origin` of a part names. */
  readonly file?: string;
}

export interface RecordOptions {
  /** The nearest known line of the session's own file at or before one. */
  readonly lineBefore?: (artifact: Artifact, line: number) => Promise<KnownLine | undefined>;
  readonly progress?: Progress;
  readonly naming?: Naming;
}

/** A page shows no more of one record, in bytes. */
const MOST_OF_RECORD = 1 << 20;

export async function recordOf(
  catalog: Catalog,
  name: string,
  { line, file }: RecordRequest,
  { lineBefore, progress, naming }: RecordOptions = {},
): Promise<RecordText> {
  const artifact = await locateSession(catalog, name, progress, naming);
  const packing = await catalog.packing(artifact);
  const isOwn = file === undefined || file === artifact.path;
  const path = isOwn ? artifact.path : file;
  if (!isOwn && !(await isPartOf(catalog, artifact, packing, file))) throw notFound(artifact, line, file);
  const from = isOwn ? await lineBefore?.(artifact, line) : undefined;
  const found = await reading(artifact, () =>
    readRecordText(packing.fs, path, line, { most: MOST_OF_RECORD, ...(from && { from }) }),
  );
  if (found) return found;
  throw notFound(artifact, line, file);
}

/** No other file of the machine is read, whatever its name. */
export async function isPartOf(
  catalog: Catalog,
  artifact: Artifact,
  { files }: Packing,
  file: string,
): Promise<boolean> {
  if (files.includes(file)) return true;
  let isNamed = false;
  await catalog.read(
    artifact,
    {
      event: ({ origin }) => {
        isNamed ||= origin.file === file;
      },
      problem: () => undefined,
    },
    { textLimit: 0 },
  );
  return isNamed;
}

/** What the disk says becomes an error that people can act on. */
export async function reading<T>(artifact: Artifact, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError || !(error instanceof Error && "code" in error)) throw error;
    throw new AppError(
      "unreadable",
      `${artifact.path} cannot be read: ${error.message}`,
      { say: "See what is wrong with it", remedy: { action: "doctor", args: { source: artifact.source } } },
      error,
    );
  }
}

const notFound = (artifact: Artifact, line: number, file: string | undefined): AppError =>
  new AppError(
    "record-not-found",
    file === undefined
      ? `Session ${artifact.id} has no record in line ${line}`
      : `Session ${artifact.id} has no record in line ${line} of ${file}`,
    { say: "Show the whole session", remedy: { action: "show", session: formatKey(artifact) } },
  );
