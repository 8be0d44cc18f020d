/** Writes sessions down: where to, under which names, and whole or not at all. */

import { resolve } from "node:path";
import { AppError } from "../../model/errors.ts";
import type { Redaction, Redactor } from "../../model/redact/redact.ts";
import type { Session } from "../../model/session/session.ts";
import { endsWithSeparator } from "../../model/values/paths.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { learnSecrets, tellForExport, withProgress } from "../../query/export.ts";
import { INDEX_NAME, toFileNames } from "../../query/export-names.ts";
import type { Progress, SessionEntry } from "../../query/heads.ts";
import type { ShowVisitor } from "../../query/show.ts";
import type { Catalog } from "../../sources/catalog.ts";
import { fileExists, writeNewFile } from "./file.ts";
import type { OutputGuard } from "./output-guard.ts";

export type Write = (text: string) => void;

/** How a session becomes a text of some format; what the surface knows and this room does not. */
export interface ExportFormat {
  readonly extension: string;
  page(write: Write): ShowVisitor & { end(): void };
  /** The page that leads to the others, where the format has one. */
  index?(entries: readonly ExportedSession[], write: Write): void;
  /** Many sessions make one text, because each of its lines says whose it is. */
  readonly isJoined: boolean;
}

export interface ExportedSession {
  readonly session: Session;
  /** Where it was written to, below the folder; none where the caller writes it. */
  readonly file?: string;
}

export interface ExportRequest {
  readonly format: ExportFormat;
  /** The sessions were not named one by one, so that how many there are is chance. */
  readonly isFiltered: boolean;
  /** How many more there would be, if their files were not gone. */
  readonly gone: number;
  /** A file or a folder; without one, the text goes to `write`. */
  readonly out?: string;
  readonly write: Write;
  readonly force: boolean;
  readonly redact: boolean;
  readonly whole: boolean;
  readonly progress?: Progress;
}

export interface ExportReport {
  readonly sessions: readonly ExportedSession[];
  /** How many had to be left out, because their files are gone and no copy was kept. */
  readonly gone: number;
  /** The file or folder that was written. */
  readonly path?: string;
  /** What was taken out; none when that was not asked for. */
  readonly redactions?: readonly Redaction[];
}

type Target =
  | { readonly kind: "caller" }
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "folder"; readonly path: string };

export interface ExportSettings {
  /** Where relative paths start. */
  readonly folder: string;
  readonly homeDir: string;
  readonly guard: OutputGuard;
  readonly fs: Pick<SessionFs, "exists" | "stat">;
}

export async function exportSessions(
  from: Pick<Catalog, "read">,
  heads: readonly SessionEntry[],
  request: ExportRequest,
  settings: ExportSettings,
): Promise<ExportReport> {
  const { format, whole, progress, gone } = request;
  const { guard } = settings;
  if (heads.length === 0) return { sessions: [], gone };
  const target = await chooseTarget(heads.length, request, settings);
  const catalog = progress ? withProgress(from, heads, request.redact ? 2 : 1, progress) : from;
  const redactor = request.redact
    ? await learnSecrets(catalog, heads, [settings.homeDir], { whole })
    : undefined;
  const tell = (head: SessionEntry, page: ShowVisitor): Promise<void> =>
    tellForExport(catalog, head, { whole, redactor }, page);
  const clean = (session: Session): Session => redactor?.value(session) ?? session;
  const redactions = () => redactor && { redactions: redactor.report() };

  if (target.kind !== "folder") {
    const tellAll = async (write: Write): Promise<void> => {
      for (const head of heads) {
        const page = format.page(write);
        await tell(head, page);
        page.end();
      }
    };
    if (target.kind === "caller") await tellAll(request.write);
    else await writeNewFile(target.path, { guard, replace: request.force }, tellAll);
    return {
      sessions: heads.map(({ session }) => ({ session: clean(session) })),
      gone,
      ...(target.kind === "file" && { path: target.path }),
      ...redactions(),
    };
  }

  const entries = nameAll(heads, format, redactor);
  const names = [
    ...entries.map(({ file }) => file),
    ...(format.index ? [`${INDEX_NAME}.${format.extension}`] : []),
  ];
  // Before the first of many files is written.
  for (const name of names) guard.check(resolve(target.path, name));
  if (!request.force) await refuseToOverwrite(target.path, names, settings.fs);
  for (const [i, head] of heads.entries()) {
    const path = resolve(target.path, entries[i]?.file ?? "");
    await writeNewFile(path, { guard, replace: request.force }, async (write) => {
      const page = format.page(write);
      await tell(head, page);
      page.end();
    });
  }
  // Last, so that it never leads to a page that is not there.
  if (format.index)
    await writeNewFile(
      resolve(target.path, names.at(-1) ?? ""),
      { guard, replace: request.force },
      async (write) => format.index?.(entries, write),
    );
  return { sessions: entries, gone, path: target.path, ...redactions() };
}

/** Named after the redacted title, because a secret in it would end up in the file name. */
function nameAll(heads: readonly SessionEntry[], format: ExportFormat, redactor: Redactor | undefined) {
  const sessions = heads.map(({ session }) => redactor?.value(session) ?? session);
  const files = toFileNames(sessions, format.extension);
  return sessions.map((session, i) => ({ session, file: files[i] ?? "" }));
}

async function chooseTarget(
  count: number,
  { out, isFiltered, format }: ExportRequest,
  { folder, fs }: ExportSettings,
): Promise<Target> {
  if (out === undefined) {
    if (count <= 1 || format.isJoined) return { kind: "caller" };
    throw new AppError(
      "usage",
      `${count} sessions make ${count} files, which need a folder`,
      "Add --out <folder>, or use --format jsonl to print them all",
    );
  }
  const path = resolve(folder, out);
  const isJoinedFile = format.isJoined && path.endsWith(`.${format.extension}`);
  if (isJoinedFile) return { kind: "file", path };
  const isFolder = (await fs.exists(path)) && (await fs.stat(path)).kind === "folder";
  if (isFolder || isFiltered || count > 1 || endsWithSeparator(out)) return { kind: "folder", path };
  return { kind: "file", path };
}

async function refuseToOverwrite(
  folder: string,
  names: readonly string[],
  fs: ExportSettings["fs"],
): Promise<void> {
  for (const name of names)
    if (await fs.exists(resolve(folder, name))) throw fileExists(resolve(folder, name));
}
