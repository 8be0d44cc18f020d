/** Turns lessons into changes of instruction files: which files, what they say already, and where new lines go. */
import { dirname, join, relative } from "node:path";
import { isAtOrBelow } from "../../model/values/paths.ts";
import { entryAt, lookThrough, realPath } from "../../platform/fs/fs-links.ts";
import { reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { placeKey } from "../places.ts";
import type { ReportRange } from "../report.ts";
import { insertionDiff } from "./insertion-diff.ts";
import { findRoot, type InstructionFile, type RepositoryRoot } from "./instruction-files.ts";
import { type Insertion, insertLines, linesMissing } from "./instruction-text.ts";
import type { Lesson } from "./lesson.ts";
import type { LessonRows } from "./lessons.ts";

export interface Improvements {
  readonly since: string;
  readonly until: string;
  readonly sessionCount: number;
  readonly turns: number;
  /** Those that the instructions do not have yet, or whose repository is not on this machine. */
  readonly findings: readonly Lesson[];
  readonly changes: readonly InstructionChange[];
  /** What could not be proposed, and why, in words. */
  readonly notes: readonly string[];
}

/** What a file will have that it does not have now. */
export interface InstructionChange {
  readonly path: string;
  /** The root of the repository, and its name. */
  readonly root: string;
  readonly repository: string | undefined;
  readonly isNew: boolean;
  readonly lines: readonly string[];
  readonly diff: string;
  /** Where the new text goes, in bytes. */
  readonly at: number;
  readonly text: string;
}

export interface ImproveOptions extends ReportRange {
  readonly fs: SessionFs;
  /** Looks for the work tree around a folder. */
  readonly climbs: boolean;
  /** Only these files; without it those that are there, or else AGENTS.md. */
  readonly files?: readonly InstructionFile[];
  /** Only the lessons with these ids. */
  readonly only?: readonly string[];
  /** Why nothing may be written below a folder; nothing where it may. */
  readonly refusal: (root: string) => string | undefined;
}

export async function makeImprovements(
  rows: LessonRows,
  lessons: readonly Lesson[],
  options: ImproveOptions,
): Promise<Improvements> {
  const { only } = options;
  const wanted = only ? lessons.filter(({ id }) => only.includes(id)) : lessons;
  const findings: Lesson[] = [];
  const changes: InstructionChange[] = [];
  const notes: string[] = [];
  for (const [place, found] of Map.groupBy(wanted, (lesson) => lesson.place)) {
    const root = await rootOf(rows, place, options, notes);
    if (!root) {
      findings.push(...found);
      continue;
    }
    const { made, isBlocked } = await changesIn(root, found, options, notes);
    changes.push(...made);
    const missing = new Set(made.flatMap(({ lines }) => lines));
    findings.push(...(isBlocked ? found : found.filter(({ line }) => missing.has(line))));
  }
  return {
    since: options.since.toISOString(),
    until: options.until.toISOString(),
    sessionCount: rows.sessions.size,
    turns: rows.sessions.values().reduce((sum, { turns }) => sum + turns, 0),
    findings,
    changes,
    notes,
  };
}

/** The folder of the place that was worked in last and is there. */
async function rootOf(
  { sessions }: LessonRows,
  place: string,
  { fs, climbs, refusal }: ImproveOptions,
  notes: string[],
): Promise<RepositoryRoot | undefined> {
  const held = [...sessions.values()].filter((session) => placeKey(session) === place);
  for (const workspace of new Set(held.map((session) => session.workspace ?? ""))) {
    const found = await findRoot(fs, workspace, climbs);
    if (!found) continue;
    const why = refusal(found.root);
    if (why === undefined) return found;
    notes.push(why);
    return undefined;
  }
  notes.push(`${place === "" ? "A folder" : place} is not on this machine, so nothing can be written there.`);
  return undefined;
}

interface ChangesIn {
  readonly made: readonly InstructionChange[];
  /** None of the files can be written, so nobody knows what the instructions lack. */
  readonly isBlocked: boolean;
}

async function changesIn(
  { root, files }: RepositoryRoot,
  lessons: readonly Lesson[],
  { fs, files: chosen }: ImproveOptions,
  notes: string[],
): Promise<ChangesIn> {
  const targets = chosen ?? (files.length > 0 ? files : (["AGENTS.md"] as const));
  const real = new Set<string>();
  const changes: InstructionChange[] = [];
  let open = 0;
  for (const name of targets) {
    const path = join(root, name);
    const place = await realPath(fs, path);
    // Two names of one file, as where CLAUDE.md is a link to AGENTS.md.
    if (real.has(place)) continue;
    real.add(place);
    const found = isAtOrBelow(place, await realPath(fs, root))
      ? await textAt(fs, path)
      : { blockedBy: "leads out of the repository" };
    if ("blockedBy" in found) {
      notes.push(`${path} ${found.blockedBy}, so it is left alone.`);
      continue;
    }
    open++;
    const before = found.text;
    // One that only refers to the other has its lines already.
    if (
      name === "CLAUDE.md" &&
      targets.includes("AGENTS.md") &&
      /^@(?:\.\/)?AGENTS\.md\s*$/m.test(before ?? "")
    )
      continue;
    const lines = linesMissing(
      before ?? "",
      lessons.map(({ line }) => line),
    );
    if (lines.length > 0) changes.push(toChange(path, root, lessons[0]?.repository, before, lines));
  }
  return { made: changes, isBlocked: open === 0 };
}

function toChange(
  path: string,
  root: string,
  repository: string | undefined,
  before: string | undefined,
  lines: readonly string[],
): InstructionChange {
  const insertion: Insertion = insertLines(before ?? "", lines);
  return {
    path,
    root,
    repository,
    isNew: before === undefined,
    lines,
    diff: insertionDiff(relative(root, path).replaceAll("\\", "/"), before, insertion),
    at: Buffer.byteLength((before ?? "").slice(0, insertion.at)),
    text: insertion.text,
  };
}

/** Instructions are read by models, so they are short; what is longer is no such file. */
const LARGEST = 1 << 20;

type Found = { readonly text: string | undefined } | { readonly blockedBy: string };

/** Without a text where the file can be made. */
async function textAt(fs: SessionFs, path: string): Promise<Found> {
  try {
    if (!(await fs.exists(path)))
      return (await entryAt(fs, path))
        ? { blockedBy: "is a link that leads nowhere" }
        : await roomFor(fs, path);
    const { kind, size } = await fs.stat(path);
    if (kind !== "file") return { blockedBy: kind === "folder" ? "is a folder" : "is not a regular file" };
    if (size > LARGEST) return { blockedBy: "is larger than instructions are" };
    return {
      text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await fs.read(path)),
    };
  } catch (error) {
    if (error instanceof TypeError) return { blockedBy: "is not a text file in UTF-8" };
    if (!(error instanceof Error && "code" in error)) throw error;
    return { blockedBy: `cannot be read (${reasonOf(error)})` };
  }
}

/** A file may stand where one of its folders would be. */
async function roomFor(fs: SessionFs, path: string): Promise<Found> {
  for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
    const entry = await lookThrough(fs, at);
    if (entry)
      return entry.kind === "folder"
        ? { text: undefined }
        : { blockedBy: `is below ${at}, which is no folder` };
  }
  return { text: undefined };
}
