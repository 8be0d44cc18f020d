/** A SessionFs that shows the disk as it will be once a plan is applied. */
import { dirname, resolve } from "node:path";
import {
  type Entry,
  entriesOf,
  type Piece,
  type Planned,
  type Step,
  sizeOfPieces,
} from "../../model/plan.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import { realPath } from "../../platform/fs/fs-links.ts";
import { type FileStat, refuseTooLarge, type SessionFs } from "../../platform/fs/session-fs.ts";
import { contentOf } from "../apply/content.ts";

export function createPlannedFs(fs: SessionFs, steps: readonly Step[]): SessionFs {
  const planned = new Map<string, Planned>(
    steps.flatMap((step) => entriesOf(step).map((entry) => [entry.path, entry])),
  );
  /** Made when a folder is first listed: of a whole home thousands are. */
  let childrenOf: Map<string, Planned[]> | undefined;
  const removed = steps.flatMap((step) => (step.does === "remove" ? [step.path] : []));
  const resolve = createPlaces(fs, steps, planned);
  const isGone = (path: string): boolean =>
    !planned.has(path) && removed.some((each) => isAtOrBelow(path, each));
  const refuseGone = (path: string): void => {
    if (isGone(path)) throw Object.assign(new Error(`ENOENT: no such file, ${path}`), { code: "ENOENT" });
  };
  const statOf = (entry: Entry): FileStat => ({
    kind: entry.kind === "link" ? "other" : entry.kind,
    size: entry.kind === "file" ? entry.size : 0,
    mtimeMs: entry.kind === "link" ? 0 : entry.mtimeMs,
    mode: entry.kind === "link" ? 0 : entry.mode,
    ino: 0,
  });
  /** Of what a link leads to, where it leads anywhere. */
  const kindOf = async (entry: Planned): Promise<FileStat["kind"]> => {
    if (entry.kind !== "link") return entry.kind;
    const place = await resolve(entry.path);
    const found = planned.get(place);
    if (found) return statOf(found).kind;
    return !isGone(place) && (await fs.exists(place)) ? (await fs.stat(place)).kind : "other";
  };
  const known = new Map<string, Ranges>();
  const rangesOf = (path: string, pieces: readonly Piece[]): Ranges => {
    const ranges = known.get(path) ?? createRanges(pieces);
    known.set(path, ranges);
    return ranges;
  };
  const chunks: SessionFs["chunks"] = async function* (name, range) {
    const path = await resolve(name);
    const { start = 0, end = Number.POSITIVE_INFINITY } = range ?? {};
    const pieces = planned.get(path)?.pieces;
    if (pieces) {
      const found = rangesOf(path, pieces).within(start, end);
      yield* within(contentOf(found.pieces, { fs }), found.skip, found.skip + end - start);
      return;
    }
    refuseGone(path);
    yield* fs.chunks(path, { start, ...(Number.isFinite(end) && { end }) });
  };
  return {
    chunks,
    async read(name, range) {
      const path = await resolve(name);
      refuseGone(path);
      if (!planned.has(path)) return fs.read(path, range);
      const parts: Buffer[] = [];
      let size = 0;
      for await (const chunk of chunks(path, range)) {
        parts.push(Buffer.from(chunk));
        size += chunk.length;
        refuseTooLarge(path, size);
      }
      return Buffer.concat(parts);
    },
    async exists(name) {
      const path = await resolve(name);
      return planned.has(path) || (!isGone(path) && fs.exists(path));
    },
    async stat(name) {
      const path = await resolve(name);
      const entry = planned.get(path);
      refuseGone(path);
      return entry ? statOf(entry) : fs.stat(path);
    },
    async readdir(name) {
      const path = await resolve(name);
      refuseGone(path);
      childrenOf ??= Map.groupBy(planned.values(), (entry) => parentOf(entry.path));
      const inside = childrenOf.get(path) ?? [];
      const there = planned.has(path) ? [] : await fs.readdir(path);
      const hidden = removed.filter((each) => parentOf(each) === path);
      const names = new Set([...inside.map((entry) => entry.path), ...hidden].map(nameOf));
      return [
        ...there.filter(({ name }) => !names.has(name)),
        ...(await Promise.all(
          inside.map(async (entry) => ({ name: nameOf(entry.path), kind: await kindOf(entry) })),
        )),
      ];
    },
    async realPath(name) {
      const path = await resolve(name);
      return planned.has(path) ? path : ((await fs.realPath?.(path)) ?? path);
    },
    write: refuse,
    append: refuse,
    mkdir: refuse,
    rm: refuse,
    rename: refuse,
  };
}

/** As many links in a row as Linux follows. */
const MOST_LINKS = 40;

/** Steps are at real places, while readers go by the names that programs use: links lead from these, or will. */
function createPlaces(
  fs: SessionFs,
  steps: readonly Step[],
  planned: ReadonlyMap<string, Planned>,
): (name: string) => Promise<string> {
  const named = steps.flatMap(({ path, as }) => (as === undefined ? [] : [{ from: as, to: path }]));
  const links = [...planned.values()].flatMap((entry) =>
    entry.kind === "link" ? [{ from: entry.path, to: resolve(dirname(entry.path), entry.target) }] : [],
  );
  if (named.length + links.length === 0) return async (name) => name;
  const [ways, leading] = [named, links].map((all) => all.sort((a, b) => b.from.length - a.from.length));
  return async (name) => {
    let path = name;
    for (const found of [ways, leading])
      for (let count = 0; count < MOST_LINKS; count++) {
        const way = found?.find(({ from, to }) => isAtOrBelow(path, from) && !isAtOrBelow(path, to));
        if (!way) break;
        path = way.to + path.slice(way.from.length);
      }
    return planned.has(path) ? path : realPath(fs, path);
  };
}

const refuse = (): never => {
  throw new Error("a plan is only looked at");
};

const parentOf = (path: string): string =>
  path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")));
const nameOf = (path: string): string => path.slice(parentOf(path).length + 1);

async function* within(
  content: AsyncIterable<Uint8Array>,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  let at = 0;
  for await (const chunk of content) {
    const piece = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at));
    at += chunk.length;
    if (piece.length > 0) yield piece;
    if (at >= end) return;
  }
}

interface Ranges {
  /** What is between two places, as pieces. Of blocks in the vault all of them, with what to leave out in front. */
  within(start: number, end: number): { readonly pieces: readonly Piece[]; readonly skip: number };
}

function createRanges(pieces: readonly Piece[]): Ranges {
  const starts = new Float64Array(pieces.length + 1);
  for (const [i, piece] of pieces.entries()) starts[i + 1] = (starts[i] ?? 0) + sizeOfPieces([piece]);
  return {
    within(start, end) {
      const found: Piece[] = [];
      let skip = 0;
      for (let i = firstBehind(starts, start); i < pieces.length && (starts[i] ?? 0) < end; i++) {
        const piece = pieces[i] as Piece;
        const from = Math.max(0, start - (starts[i] ?? 0));
        if ("file" in piece) found.push({ ...piece, start: piece.start + from });
        else {
          if (found.length === 0) skip = from;
          found.push(piece);
        }
      }
      return { pieces: found, skip };
    },
  };
}

/** The piece that a place lies in. */
function firstBehind(starts: Float64Array, place: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle + 1] ?? 0) > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
