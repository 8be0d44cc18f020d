/**
 * Finds secrets that consecutive records of a log hold in pieces, as streamed answers do. What is found when the log is
 * learned is looked up when its records come again one by one, because a piece alone does not show what follows it.
 */
import { hash } from "node:crypto";
import { type Find, findOverBorders, type Piece } from "./borders.ts";

export interface RecordPieces {
  /** A member of the record itself. Records with the same members may continue each other. */
  addName(name: string): void;
  add(path: string, pieces: readonly Piece[]): void;
  pieceAt(path: string, piece: number): Piece | undefined;
}

export interface StreamSpan {
  readonly path: string;
  /** Which of the record's pieces with this path. */
  readonly piece: number;
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly secret: string;
}

export interface Streams {
  record(): RecordPieces;
  /** The records of a log in order, then `endLearning`. */
  learn(record: RecordPieces, find: Find): void;
  endLearning(find: Find): void;
  /** The records of the same log in the same order. */
  find(record: RecordPieces): StreamSpan[];
}

/** Pieces with one path in consecutive records. */
interface Run {
  readonly pieces: Piece[];
  /** How many records they come from. */
  records: number;
  /** Tells a place in a run from every other: made from all pieces so far. */
  chain: string;
}

interface Pieces extends RecordPieces {
  readonly names: string;
  readonly byPath: ReadonlyMap<string, readonly Piece[]>;
}

export function createStreams(): Streams {
  const found = new Map<string, Omit<StreamSpan, "path" | "piece">[]>();
  let learned = createRuns();
  let met = createRuns();

  const close = (path: string, { pieces, records }: Run, find: Find): void => {
    if (records < 2) return;
    const spans = findOverBorders(pieces, find);
    if (spans.length === 0) return;
    let chain = "";
    const chains = pieces.map(({ text }) => (chain = linked(chain, path, text)));
    for (const { piece, start, end, kind, secret } of spans) {
      const place = chains[piece] ?? "";
      found.set(place, [...(found.get(place) ?? []), { start, end, kind, secret }]);
    }
  };

  return {
    record: createRecord,
    learn(record, find) {
      learned.next(record as Pieces, (path, run) => close(path, run, find));
    },
    endLearning(find) {
      learned.end((path, run) => close(path, run, find));
      learned = createRuns();
      met = createRuns();
    },
    find(record) {
      if (found.size === 0) return [];
      const spans: StreamSpan[] = [];
      for (const [path, run] of met.next(record as Pieces, () => undefined)) {
        const pieces = (record as Pieces).byPath.get(path) ?? [];
        for (const [piece, { text }] of pieces.entries()) {
          run.chain = linked(run.chain, path, text);
          for (const span of found.get(run.chain) ?? []) spans.push({ ...span, path, piece });
        }
        run.pieces.length = 0;
      }
      return spans;
    },
  };
}

const linked = (chain: string, path: string, text: string): string =>
  hash("sha256", `${chain}\n${path}\n${text}`);

function createRuns(): {
  /** The runs that this record begins or continues; all others have ended. */
  next(record: Pieces, ended: (path: string, run: Run) => void): ReadonlyMap<string, Run>;
  end(ended: (path: string, run: Run) => void): void;
} {
  let runs = new Map<string, Run>();
  let names: string | undefined;
  const end = (ended: (path: string, run: Run) => void): void => {
    for (const [path, run] of runs) ended(path, run);
  };
  return {
    next(record, ended) {
      const going = new Map<string, Run>();
      for (const [path, pieces] of record.byPath) {
        const before = names === record.names ? runs.get(path) : undefined;
        const run = before ?? { pieces: [], records: 0, chain: "" };
        for (const piece of pieces) run.pieces.push(piece);
        run.records++;
        going.set(path, run);
        if (before) runs.delete(path);
      }
      end(ended);
      runs = going;
      names = record.names;
      return going;
    },
    end,
  };
}

function createRecord(): Pieces {
  let names = "";
  const byPath = new Map<string, readonly Piece[]>();
  return {
    addName: (name) => {
      names += `${name}\n`;
    },
    add: (path, pieces) => void byPath.set(path, pieces),
    pieceAt: (path, piece) => byPath.get(path)?.[piece],
    byPath,
    get names() {
      return names;
    },
  };
}
