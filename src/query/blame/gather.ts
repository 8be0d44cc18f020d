/** Collects all that sessions did to a file, under every name that it had, in the order of time. */
import type { Artifact } from "../../model/session/session.ts";
import { formatKey, type SessionKey } from "../../model/values/id.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { FileEditor, MoveCommand, TurnOfFiles, TurnOwner } from "../../store/file-edits.ts";
import type { SessionEdit } from "./edit-collector.ts";
import { createEditList } from "./edit-list.ts";
import { type FormerName, movesIn, namesBefore } from "./moves.ts";
import { type Disk, type FilePlace, fullPath, isSameFile } from "./same-file.ts";
import { readEdits } from "./session-edits.ts";

/** What is known of sessions without reading one. */
export interface EditStore {
  editors(path: string): readonly FileEditor[];
  /** Nothing where the log has changed since it was indexed. */
  turns(artifact: Artifact, editor: FileEditor): readonly TurnOfFiles[] | undefined;
  owners(row: string): ReadonlyMap<number, TurnOwner>;
  moves(folder: string, repository: string | undefined): readonly MoveCommand[];
}

export interface GatherParts {
  readonly catalog: Pick<Catalog, "read" | "readsRanges" | "toolEdits">;
  readonly store: EditStore;
  readonly disk: Disk;
  /** Nothing for a session whose files are gone, and of which no copy was kept. */
  locate(session: SessionKey & { readonly isGone: boolean }): Promise<Artifact | undefined>;
  readonly onSession?: (done: number, total: number) => void;
  readonly leastLog?: number;
}

/** A change, and the session that it belongs to. */
export interface AttributedEdit extends SessionEdit {
  readonly session: SessionKey & { readonly title: string };
}

export interface Gathered {
  /** Oldest first. */
  readonly edits: readonly AttributedEdit[];
  /** Sessions that changed the file and cannot be read. */
  readonly unread: number;
  /** Older changes that did not fit in memory. */
  readonly leftOut: number;
  /** They are of a file of the same name elsewhere that is gone, and may have been this one. */
  readonly isGuess: boolean;
}

/** The names of one file are few; a circle of moves must end somewhere. */
const MOST_NAMES = 64;

/** `former` are the names that git knows. */
export async function gatherEdits(
  parts: GatherParts,
  place: FilePlace,
  former: readonly FormerName[],
): Promise<Gathered> {
  const found: AttributedEdit[] = [];
  const unread = new Set<string>();
  let leftOut = 0;
  const reader = createReader(parts);
  const commands = place.root === undefined ? [] : parts.store.moves(place.root, place.repository);
  const moves = commands.flatMap(movesIn);
  const names: FormerName[] = [{ path: place.path }, ...former];
  const known = new Set<string>();
  let isGuess = false;
  for (const [at, name] of names.entries()) {
    if (known.has(name.path) || known.size === MOST_NAMES) continue;
    known.add(name.path);
    names.push(...namesBefore(name.path, moves).map((each) => earlierOf(each, name)));
    const result = await editsOf(parts, reader, { ...place, path: name.path }, name, known);
    found.push(...result.edits);
    leftOut += result.leftOut;
    for (const key of result.unread) unread.add(key);
    names.push(...result.moved.map((each) => earlierOf(each, name)));
    // Who moves a file by hand tells nobody; but it is gone where it was, and often keeps its name.
    if (at === names.length - 1 && found.length === 0 && !isGuess) {
      isGuess = true;
      names.push(...(await goneNamesakes(parts, place)));
    }
  }
  const list = createEditList<AttributedEdit>();
  for (const each of found.sort(byTime)) list.push(each);
  return { edits: list.items(), unread: unread.size, leftOut: leftOut + list.leftOut(), isGuess };
}

/** Files of the same name in the same folder of work that sessions changed and that are not there any more. */
async function goneNamesakes({ store, disk }: GatherParts, { path, root }: FilePlace): Promise<FormerName[]> {
  const paths = new Set(store.editors(path).flatMap((each) => fullPath(each) ?? []));
  const names: FormerName[] = [];
  for (const each of paths)
    if (root !== undefined && isAtOrBelow(each, root) && !(await disk.exists(each)))
      names.push({ path: each });
  return names;
}

/** What was called so before a name that itself is a former one. */
const earlierOf = (name: FormerName, later: FormerName): FormerName =>
  later.until !== undefined && (name.until === undefined || later.until < name.until)
    ? { ...name, until: later.until }
    : name;

interface OfName {
  readonly edits: readonly AttributedEdit[];
  readonly unread: readonly string[];
  readonly leftOut: number;
  readonly moved: readonly FormerName[];
}

/** Of all sessions that name the file so; `known` are its later names. */
async function editsOf(
  { store, disk, onSession }: GatherParts,
  reader: SessionReader,
  place: FilePlace,
  { until }: FormerName,
  known: ReadonlySet<string>,
): Promise<OfName> {
  const editors: FileEditor[] = [];
  for (const editor of store.editors(place.path))
    if (await isSameFile(editor, place, disk)) editors.push(editor);
  const own = new Set(editors.flatMap((each) => fullPath(each) ?? []));
  const sessions = [...Map.groupBy(editors, ({ row }) => row).values()];
  const edits: AttributedEdit[] = [];
  const unread: string[] = [];
  const moved: FormerName[] = [];
  let leftOut = 0;
  const take = (written: AttributedEdit, editor: FileEditor): void => {
    const { edit, time } = written;
    if (until !== undefined && time !== undefined && time > until) return;
    if (edit.does !== "move") {
      edits.push(written);
      return;
    }
    const [from, to] = [edit.path, edit.to].map((path) => fullPath({ ...editor, path }) ?? path);
    if (own.has(to ?? "")) moved.push({ path: from ?? "", ...(time !== undefined && { until: time }) });
    // Moved away, it is gone under this name; moved to one of its later names, it is what this is about.
    else if (!known.has(to ?? "")) edits.push({ ...written, edit: { does: "delete", path: edit.path } });
  };
  for (const [at, [first, ...others]] of sessions.entries()) {
    if (!first) continue;
    onSession?.(at, sessions.length);
    const result = await reader.read([first, ...others]);
    if (!result) unread.push(formatKey(first));
    leftOut += result?.leftOut ?? 0;
    for (const each of result?.edits ?? []) take(each, first);
  }
  return { edits, unread, leftOut, moved };
}

interface SessionReader {
  /** The rows of one session. */
  read(
    editors: readonly [FileEditor, ...FileEditor[]],
  ): Promise<{ readonly edits: readonly AttributedEdit[]; readonly leftOut: number } | undefined>;
}

function createReader({ catalog, store, locate, leastLog }: GatherParts): SessionReader {
  /** Of turns whose own session cannot be read, the copy that tells them. */
  const tellers = new Map<string, string>();
  const isTold = async (owner: TurnOwner, row: string): Promise<boolean> => {
    const key = `${owner.row} ${owner.turn}`;
    if (!tellers.has(key)) tellers.set(key, owner.isGone && !(await locate(owner)) ? row : owner.row);
    return tellers.get(key) !== row;
  };
  return {
    async read(editors) {
      const [first] = editors;
      const artifact = await locate(first);
      if (!artifact) return undefined;
      const paths = new Set(editors.flatMap((each) => [each.path, fullPath(each) ?? each.path]));
      const early = editors.reduce((a, b) => (b.turn < a.turn ? b : a));
      const result = await readEdits(catalog, artifact, {
        isWanted: (path) => paths.has(path) || paths.has(fullPath({ ...first, path }) ?? path),
        turns: store.turns(artifact, early),
        ...(leastLog !== undefined && { leastLog }),
      });
      if (!result) return undefined;
      const owners = store.owners(first.row);
      const session = { source: first.source, id: first.id, title: first.title };
      const edits: AttributedEdit[] = [];
      for (const each of result.edits) {
        const owner = owners.get(each.turn);
        if (!owner) edits.push({ ...each, session });
        else if (!(await isTold(owner, first.row))) {
          const { source, id, title, turn } = owner;
          edits.push({ ...each, turn, session: { source, id, title } });
        }
      }
      return { edits, leftOut: result.leftOut };
    },
  };
}

/** What has no time is as old as can be; sorting keeps the order of each session. */
const byTime = (a: AttributedEdit, b: AttributedEdit): number =>
  (a.time ?? "") < (b.time ?? "") ? -1 : (a.time ?? "") > (b.time ?? "") ? 1 : 0;
