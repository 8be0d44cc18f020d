/** Plans imports: recognizes the file, and plans the session that it becomes. */
import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { unknown } from "../../bundle/errors.ts";
import { isBundle, openBundle } from "../../bundle/open.ts";
import type { Scale } from "../../edit/apply/verify.ts";
import { toImportPlan } from "../../edit/plan/import.ts";
import { joinPlans } from "../../edit/plan/join.ts";
import { type BundlePart, filesOf } from "../../model/bundle.ts";
import type { EditPlan, Piece, PlannedSession } from "../../model/plan.ts";
import { nameSome } from "../../model/text/name-some.ts";
import type { SessionKey } from "../../model/values/id.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import type { Clock } from "../../model/values/time.ts";
import { createScratchFile, type ScratchFile } from "../../platform/disk/scratch-file.ts";
import { createCountingFs } from "../../platform/fs/counting.ts";
import { isErrno, type SessionFs } from "../../platform/fs/session-fs.ts";
import { spareMemory } from "../../platform/memory.ts";
import type { Progress } from "../../query/heads.ts";
import type { Catalog, Editing, PlacedInterchange } from "../../sources/catalog.ts";
import type { IncomingFile } from "../../sources/requests.ts";
import * as refuse from "./import-refusals.ts";
import { joinerFor } from "./move-target.ts";
import { toWorkspace } from "./names.ts";

export interface ImportOf {
  readonly name?: string;
  /** The folder that it is about here. */
  readonly to?: string;
  readonly newId?: boolean;
}

export interface ImportingOptions {
  readonly catalog: Catalog;
  /** Our own data folder. */
  readonly home: string;
  readonly now: Clock;
  /** Where relative paths start. */
  readonly folder: string;
  readonly fs: SessionFs;
  readonly loadScale: () => Promise<Scale>;
  readonly userHome?: string;
}

/** Files that we have at hand, as a session. */
export type TakeFiles = (
  from: SessionKey & { readonly title?: string },
  files: readonly IncomingFile[],
  request: ImportOf & {
    /** The file of the session that they were part of here, beside which it goes. */
    readonly beside?: string;
    /** The session here that it is a later state of, with its files: it takes their place, under the id of that. */
    readonly over?: PlannedSession & { readonly files: readonly string[] };
  },
  about?: {
    /** The file that they come from. */
    readonly file?: string;
    /** What is not taken, in words. */
    readonly leftOut?: readonly string[];
  },
) => Promise<EditPlan>;

export interface Importing {
  readonly take: TakeFiles;
  /** In our own folder until `close`. */
  newScratch(): ScratchFile;
  /** The same plan, whose long texts lie in our own folder until `close`: no record of it holds them. */
  putAside(plan: EditPlan): EditPlan;
  /** What it is made from lies in our own folder until `close`. */
  plan(file: string, request: ImportOf, progress?: Progress): Promise<EditPlan>;
  close(): void;
}

/** Packed; what is smaller fits whatever the engine does. */
const LARGE = 4 << 20;
/** What the system says of a path at which no file can be read. */
const NO_FILE = ["ENOENT", "EISDIR", "EACCES", "EPERM", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EINVAL"];
/** In characters; shorter ones may be part of the journal. */
const LONG_TEXT = 64 << 10;
/** Enough to see what a file is. */
const BEGINNING = 64 << 10;

export const scratchFolder = (home: string): string => join(home, "unpacked");

export function createImporting(options: ImportingOptions): Importing {
  const { catalog, fs, now } = options;
  const scratches: ScratchFile[] = [];
  const newScratch = (): ScratchFile => {
    const scratch = createScratchFile(scratchFolder(options.home));
    scratches.push(scratch);
    return scratch;
  };
  const close = (): void => {
    for (const scratch of scratches.splice(0)) scratch.remove();
  };

  const take: TakeFiles = async (from, files, request, { file, leftOut = [] } = {}) => {
    const { editing, root } = await placeFor(catalog, fs, from, request);
    const workspace =
      request.to === undefined
        ? undefined
        : await toWorkspace(fs, editing.editor, { root, path: "" }, request.to, options.folder);
    const draft = await editing.editor.imports?.take(fs, files, {
      root,
      id: from.id,
      now: now(),
      ...(options.userHome !== undefined && { userHome: options.userHome }),
      ...(request.newId && { newId: randomUUID() }),
      ...(request.over && request.over.id !== from.id && { newId: request.over.id }),
      ...(request.name !== undefined && { name: request.name }),
      ...(workspace !== undefined && { workspace }),
      ...(request.beside !== undefined && { beside: request.beside }),
    });
    if (!draft) throw refuse.notTaken(from.source);
    const { title, ...key } = from;
    const scale = await options.loadScale();
    return toImportPlan(
      editing,
      fs,
      { ...draft, losses: [...leftOut, ...draft.losses] },
      {
        from: key,
        root,
        scale,
        ...(file !== undefined && { file }),
        ...(title !== undefined && { title }),
        ...(request.over && { over: request.over }),
      },
    );
  };

  const putAside = (piece: Piece): Piece => {
    if (!("text" in piece) || piece.text.length < LONG_TEXT) return piece;
    const scratch = newScratch();
    scratch.write(piece.text);
    return { file: scratch.path, start: 0, end: scratch.size() };
  };

  const planBundle = async (path: string, request: ImportOf, progress: Progress): Promise<EditPlan> => {
    const { size } = await fs.stat(path);
    if (size > LARGE) spareMemory();
    const unpacked = createCountingFs(fs, (bytes) => progress(bytes, size));
    const bundle = await openBundle(unpacked, path, newScratch());
    const { kind, parts } = bundle.manifest;
    if (kind === "home") throw refuse.isHome(path);
    if (parts.length === 0) throw refuse.isEmpty();
    if (parts.length > 1 && request.name !== undefined) throw refuse.oneName(parts.length);
    const plans: EditPlan[] = [];
    for (const part of parts) {
      if (!catalog.sources.some(({ source }) => source === part.source))
        throw refuse.unknownSource(part.source, catalog.sources);
      const { "": own = [], ...others } = Object.groupBy(
        filesOf(part),
        (file) => catalog.whyLeftOut(part.source, file.path) ?? "",
      );
      const files = own.map((entry): IncomingFile => {
        const { kind: _, ...file } = entry;
        return { ...file, pieces: entry.size === 0 ? [] : [bundle.pieceOf(part, entry)] };
      });
      const leftOut = Object.entries(others).map(
        ([why, left = []]) => `${why}: ${nameSome(left.map((file) => file.path))}`,
      );
      const key = { ...keyOf(part), ...titleOf(part) };
      plans.push(await take(key, files, request, { file: path, leftOut }));
    }
    return joined(plans, await joinerFor(catalog, plans));
  };

  const planTranscript = async (
    path: string,
    { source, interchange }: PlacedInterchange,
    request: ImportOf,
  ): Promise<EditPlan> => {
    const id = randomUUID();
    const { log, texts, mtimeMs } = await interchange.read(fs, path, {
      id,
      now: now(),
      workspace: options.folder,
      ...(request.name !== undefined && { name: request.name }),
    });
    const scratch = newScratch();
    for (const line of log.lines) scratch.write(line);
    const look = { mode: 0o600, mtimeMs };
    const size = scratch.size();
    const files: IncomingFile[] = [
      { path: log.path, ...look, size, pieces: [{ file: scratch.path, start: 0, end: size }] },
      ...texts.map(({ path: name, text }) => ({
        path: name,
        ...look,
        size: Buffer.byteLength(text),
        pieces: [{ text }],
      })),
    ];
    // Every transcript makes a session of its own, so its id is new in any case.
    const { newId: _, ...rest } = request;
    return take({ source, id }, files, rest, { file: path });
  };

  return {
    close,
    take,
    newScratch,
    putAside: (plan) => ({
      ...plan,
      steps: plan.steps.map((step) =>
        "entries" in step
          ? {
              ...step,
              entries: step.entries.map(({ pieces, ...entry }) => ({
                ...entry,
                ...(pieces && { pieces: pieces.map(putAside) }),
              })),
            }
          : step,
      ),
    }),
    async plan(file, request, progress = () => undefined) {
      const path = resolve(options.folder, file);
      try {
        if (await isBundle(fs, path)) return await planBundle(path, request, progress);
        const beginning = Buffer.from(await fs.read(path, { start: 0, end: BEGINNING })).toString("utf8");
        const placed = (await catalog.interchanges()).find(({ interchange }) => interchange.isOne(beginning));
        if (!placed) throw unknown(path);
        return await planTranscript(path, placed, request);
      } catch (error) {
        close();
        if (isErrno(error, ...NO_FILE)) throw refuse.noFile(path, error);
        throw isErrno(error, "ENOSPC") ? refuse.noSpace(options.home, error) : error;
      }
    },
  };
}

/** Several sessions come together or not at all; those that are here already need nothing. */
function joined(plans: readonly EditPlan[], join: Awaited<ReturnType<typeof joinerFor>>): EditPlan {
  const [first] = plans;
  if (!first) throw new Error("there is nothing to import");
  if (plans.length === 1) return first;
  const missing = plans.filter(({ steps }) => steps.length > 0);
  const title = `${plans.length} sessions`;
  return missing.length === 0
    ? { ...first, title }
    : joinPlans(missing, `${missing.length} of ${title}`, join);
}

const keyOf = ({ source, id = "" }: BundlePart): SessionKey => ({ source, id });
const titleOf = ({ title }: BundlePart): { title?: string } => (title === undefined ? {} : { title });

async function placeFor(
  catalog: Catalog,
  fs: SessionFs,
  { source }: SessionKey,
  { to, beside }: Parameters<TakeFiles>[2],
): Promise<{ editing: Editing; root: string }> {
  const roots = catalog.sources.find((each) => each.source === source)?.roots ?? [];
  const editing = await catalog.editing({ source });
  const own = beside === undefined ? undefined : roots.find((root) => isAtOrBelow(beside, root));
  const root =
    (to === undefined ? own : undefined) ??
    (await editing.editor.imports?.chooseRoot?.(fs, roots, to)) ??
    roots[0];
  if (root === undefined) throw refuse.notTaken(source);
  return { editing, root };
}
