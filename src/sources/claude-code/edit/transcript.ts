/** A transcript laid out for changes: its rows, which of them make the conversation, and the turn of each. */
import { AppError } from "../../../model/errors.ts";
import type { Piece } from "../../../model/plan.ts";
import type { Repair } from "../../../model/plan-facts.ts";
import type { Artifact } from "../../../model/session/session.ts";
import { startsTurn } from "../../../model/session/turns.ts";
import { throughPieces } from "../../../platform/fs/pieced-file.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { beginningOf } from "../../summary/turn-names.ts";
import { isAgentId } from "../locate.ts";
import { read } from "../read.ts";
import { SOURCE } from "../scan.ts";
import { decodeSkimming } from "../skim.ts";
import { type Break, chainForReader } from "../tree/chain.ts";
import { type FirstPass, firstPass } from "../tree/first-pass.ts";
import { NONE, type RowTable } from "../tree/row-table.ts";
import { rescueLog } from "./rescue/log.ts";

export interface TurnStart {
  /** The row of the prompt, and its place in `rows`. */
  readonly row: number;
  readonly at: number;
  readonly id: string;
  readonly time?: string;
  /** How the prompt begins. */
  readonly text: string;
}

export interface Transcript {
  readonly facts: FirstPass;
  readonly table: RowTable;
  /** The conversation, in its order: what people see, also before a compaction. */
  readonly rows: readonly number[];
  /** Of these, the way from the first to the last; the others are parallel calls and their results. */
  readonly path: readonly number[];
  /** Rows whose parents are missing, and those that stand in for them. */
  readonly breaks: readonly Break[];
  /** Set where the transcript is damaged, and this is what a rescue would leave of it. */
  readonly rescued?: {
    readonly pieces: readonly Piece[];
    readonly repairs: readonly Repair[];
    /** Of the file as it is. */
    readonly size: number;
  };
  readonly turns: readonly TurnStart[];
  /** Rows with the summary of an earlier compaction. */
  readonly summaries: ReadonlySet<number>;
  readonly title: string;
  /** All that is there now; what is appended later is not meant. */
  readonly size: number;
  /** The turn of a row of the conversation; -1 before the first. */
  turnOf(row: number): number;
  /** Whether a row is part of the conversation. */
  isLive(row: number): boolean;
  idOf(row: number): string;
  /** The row before it, also where that is told only to people, or is missing and another stands in for it. */
  before(row: number): number;
}

/** The transcript as a rescue would leave it, for copies of it, and through what it is read. */
export async function openSound(
  disk: SessionFs,
  artifact: Artifact,
): Promise<{ readonly fs: SessionFs; readonly transcript: Transcript }> {
  refuseAgent(artifact);
  const { size } = await disk.stat(artifact.path);
  const { id, path, fingerprint } = artifact;
  const { fs, pieces, repairs, facts } = await rescueLog(disk, { id, path, mtimeMs: fingerprint.mtimeMs });
  const transcript = await openTranscript(fs, artifact, facts);
  return { fs, transcript: { ...transcript, ...(pieces && { rescued: { pieces, repairs, size } }) } };
}

/** Pieces of the transcript as pieces of the file that is on the disk. */
export const fromDisk = (
  pieces: readonly Piece[],
  { path }: Artifact,
  { rescued }: Transcript,
): readonly Piece[] => (rescued ? throughPieces(pieces, path, rescued.pieces) : pieces);

export async function openTranscript(
  fs: SessionFs,
  artifact: Artifact,
  known?: FirstPass,
): Promise<Transcript> {
  refuseAgent(artifact);
  const prompts = new Map<number, Omit<TurnStart, "row" | "at" | "id">>();
  const summarized = new Set<number>();
  const { title } = await read(
    fs,
    artifact,
    {
      event(event) {
        if (event.kind === "compaction") summarized.add(event.origin.start);
        if (!startsTurn(event) || prompts.has(event.origin.start)) return;
        const { origin, time, text } = event;
        prompts.set(origin.start, { text: beginningOf(text), ...(time !== undefined && { time }) });
      },
      problem: () => undefined, // what is damaged is told by `show`, and repaired by `rescue`
    },
    { skim: true },
  );
  const facts = known ?? (await firstPass(fs, artifact.path, () => undefined, { decode: decodeSkimming(0) }));
  const { rows: table } = facts;
  const { rows, path, breaks } = chainForReader(facts);
  const bridges = new Map(breaks.map(({ row, bridge = NONE }) => [row, bridge]));
  const idOf = (row: number): string => table.names.text(table.name(row));
  const turns: TurnStart[] = [];
  const turnOf = new Map<number, number>();
  for (const [at, row] of rows.entries()) {
    const prompt = prompts.get(table.start(row));
    if (prompt) turns.push({ row, at, id: idOf(row), ...prompt });
    turnOf.set(row, turns.length - 1);
  }
  const { size } = await fs.stat(artifact.path);
  const summaries = new Set(rows.filter((row) => summarized.has(table.start(row))));
  return {
    ...{ facts, table, rows, path, breaks, turns, summaries, title, size, idOf },
    before: (row) => bridges.get(row) ?? parentOf(table, row),
    turnOf: (row) => turnOf.get(row) ?? -1,
    isLive: (row) => turnOf.has(row),
  };
}

/** The log of a sub-agent belongs to the session that started it, and cannot be resumed. */
export function refuseAgent({ id }: Artifact): void {
  if (!isAgentId(id)) return;
  throw new AppError(
    "not-supported",
    `${id} is the log of a sub-agent, which Claude Code does not resume by itself`,
    { say: "Read it, or export it", remedy: { action: "export", session: `${SOURCE}:${id}` } },
  );
}

/** How many rows of the conversation stay when it ends after a turn, or before the row of this id. */
export function rowsUpTo({ id }: Artifact, transcript: Transcript, at: number | string): number {
  const { turns, rows, idOf } = transcript;
  const show = { say: "See its turns", remedy: { action: "show", session: `${SOURCE}:${id}` } } as const;
  if (typeof at === "number") {
    if (turns[at]) return turns[at + 1]?.at ?? rows.length;
    throw new AppError(
      "turn-not-found",
      turns.length === 0
        ? `Session ${id} has no turns`
        : `Session ${id} has no turn ${at}; its last one is ${turns.length - 1}`,
      show,
    );
  }
  const wanted = rows.findIndex((row) => idOf(row).toLowerCase() === at.toLowerCase());
  if (wanted > (turns[0]?.at ?? rows.length)) return wanted;
  throw new AppError("turn-not-found", `Session ${id} has no row ${at} to stop before`, show);
}

function parentOf(table: RowTable, row: number): number {
  const { logicalParent } = table.details.get(row) ?? {};
  const parent = table.parent(row);
  return table.find(parent === NONE && logicalParent !== undefined ? table.names.of(logicalParent) : parent);
}

/** The row before it that is kept, by its id: the way to it leads over rows that are not. Null where there is none. */
export function keptBefore(
  { before, idOf }: Pick<Transcript, "before" | "idOf">,
  row: number,
  keeps: (row: number) => boolean,
): string | null {
  const seen = new Set<number>([row]);
  for (let at = before(row); at !== NONE && !seen.has(at); at = before(at)) {
    if (keeps(at)) return idOf(at);
    seen.add(at);
  }
  return null;
}
