/** Lists the checkpoints of a session, and which of them the model still receives. */
import { AppError } from "../model/errors.ts";
import type { Event, Session, Sidecar } from "../model/session/session.ts";
import { startsTurn } from "../model/session/turns.ts";
import { formatKey } from "../model/values/id.ts";
import { toFileDate } from "../model/values/time.ts";
import type { Catalog } from "../sources/catalog.ts";
import { type Progress, readHead } from "./heads.ts";
import { type Naming, resolveSession } from "./resolve.ts";

export interface Checkpoint {
  readonly number: number;
  readonly title: string;
  /** When it was made (ISO 8601), where that is known. */
  readonly at?: string;
  /** How many turns the log has before it; nothing for one that only lies beside the log. */
  readonly turns?: number;
  /** Where it lies beside the log. */
  readonly path?: string;
  /** It begins what the model receives. */
  readonly isSent: boolean;
  readonly summary: string;
}

export interface Checkpoints {
  readonly session: Session;
  /** By their numbers. */
  readonly checkpoints: readonly Checkpoint[];
}

export async function checkpointsOf(
  catalog: Catalog,
  name: string,
  progress?: Progress,
  naming?: Naming,
): Promise<Checkpoints> {
  const { artifact, problems } = await resolveSession(catalog, name, progress, naming);
  const inLog = createLogged();
  const { session } = await readHead(catalog, artifact, problems, inLog.event);
  const found = new Map(inLog.all().map((each) => [each.number, each]));
  for (const sidecar of session.sidecars ?? []) {
    if (sidecar.kind !== "checkpoint") continue;
    const number = sidecar.number ?? found.size + 1;
    const logged = found.get(number);
    found.set(
      number,
      logged
        ? { ...logged, path: sidecar.path, at: await writtenAt(catalog, sidecar, number) }
        : await readBeside(catalog, sidecar, number),
    );
  }
  return { session, checkpoints: [...found.values()].sort((a, b) => a.number - b.number) };
}

/** Collects the checkpoints of a log while it is read. Those without a number are numbered. */
function createLogged(): { event(event: Event): void; all(): Checkpoint[] } {
  const found: Checkpoint[] = [];
  let turns = 0;
  let isSent = false;
  return {
    event(event) {
      if (startsTurn(event)) turns++;
      if (event.agent !== undefined) return;
      if (event.kind === "clear") isSent = false;
      if (event.kind !== "compaction") return;
      isSent = true;
      found.push({
        number: event.checkpoint ?? (found.at(-1)?.number ?? 0) + 1,
        title: event.title ?? "",
        turns,
        isSent: false,
        summary: event.summary,
        ...(event.time !== undefined && { at: event.time }),
      });
    },
    all: () => found.map((each, at) => (at === found.length - 1 ? { ...each, isSent } : each)),
  };
}

/** Its file is written once, when it is made. In the log it may stand between turns that are older. */
const writtenAt = ({ fs }: Catalog, { path }: Sidecar, number: number): Promise<string> =>
  reading(number, async () => toFileDate((await fs.stat(path)).mtimeMs).toISOString());

/** A checkpoint that is not in the log. */
async function readBeside(catalog: Catalog, sidecar: Sidecar, number: number): Promise<Checkpoint> {
  const { path, detail, name } = sidecar;
  const bytes = await reading(number, () => catalog.fs.read(path));
  return {
    number,
    title: detail ?? name,
    at: await writtenAt(catalog, sidecar, number),
    isSent: false,
    path,
    summary: Buffer.from(bytes).toString("utf8"),
  };
}

async function reading<T>(number: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error; // a defect of ours
    throw new AppError(
      "unreadable",
      `Checkpoint ${number} cannot be read: ${error.message}`,
      { say: "See what else is wrong", remedy: { action: "doctor" } },
      error,
    );
  }
}

export interface OneCheckpoint {
  readonly session: Session;
  readonly checkpoint: Checkpoint;
}

/** The latest, when none is named. */
export async function checkpointOf(
  catalog: Catalog,
  name: string,
  number: number | undefined,
  progress?: Progress,
  naming?: Naming,
): Promise<OneCheckpoint> {
  const { session, checkpoints } = await checkpointsOf(catalog, name, progress, naming);
  const checkpoint =
    number === undefined ? checkpoints.at(-1) : checkpoints.find((each) => each.number === number);
  if (checkpoint) return { session, checkpoint };
  const key = formatKey(session);
  throw checkpoints.length === 0
    ? new AppError("checkpoint-not-found", `Session ${session.id} has no checkpoints`, {
        say: "Show the whole session",
        remedy: { action: "show", session: key },
      })
    : new AppError("checkpoint-not-found", `Session ${session.id} has no checkpoint ${number}`, {
        say: "See its checkpoints",
        remedy: { action: "checkpoint", session: key, args: { action: "list" } },
      });
}
