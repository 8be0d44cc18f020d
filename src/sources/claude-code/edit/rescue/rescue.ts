/** Repairs a damaged session where it is: its transcript, and the logs of its sub-agents. */
import { basename } from "node:path";
import { AppError } from "../../../../model/errors.ts";
import {
  type Basis,
  type Draft,
  type Piece,
  type Planned,
  type Step,
  sizeOfPieces,
} from "../../../../model/plan.ts";
import type { Repair } from "../../../../model/plan-facts.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { lookThrough } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { toLosses } from "../../../rescue/losses.ts";
import { files } from "../../files.ts";
import { isAgentId } from "../../locate.ts";
import { SOURCE } from "../../scan.ts";
import { endsLine } from "../copy/incoming-log.ts";
import { refuseAgent } from "../transcript.ts";
import { rescueLog } from "./log.ts";
import { promptsOf } from "./prompts.ts";

/** What is done to one of the files, and why. */
interface Part {
  readonly basis: readonly Basis[];
  readonly steps: readonly Step[];
  readonly repairs: readonly Repair[];
}

export async function rescue(fs: SessionFs, artifact: Artifact): Promise<Draft> {
  refuseAgent(artifact);
  const { id, path } = artifact;
  const agents = (await files(fs, artifact)).filter(
    (each) => isAgentId(basename(each)) && each.endsWith(".jsonl"),
  );
  const parts = [await repairTranscript(fs, artifact)];
  for (const agent of agents) {
    const { repairs, pieces } = await rescueLog(fs, { path: agent, ...about(artifact), isAgent: true });
    if (pieces) parts.push(await replaced(fs, agent, pieces, repairs));
  }
  const repairs = parts.flatMap((part) => part.repairs);
  return {
    session: { source: SOURCE, id, path },
    basis: parts.flatMap((part) => part.basis),
    steps: parts.flatMap((part) => part.steps),
    losses: toLosses(repairs),
    repairs,
  };
}

const about = ({ id, fingerprint }: Artifact) => ({ id, mtimeMs: fingerprint.mtimeMs });

async function repairTranscript(fs: SessionFs, artifact: Artifact): Promise<Part> {
  const { path } = artifact;
  const { repairs, pieces, facts } = await rescueLog(fs, { path, ...about(artifact) });
  if (facts.rows.size > 0)
    return pieces ? replaced(fs, path, pieces, repairs) : { basis: [], steps: [], repairs };
  const prompts = await promptsOf(fs, artifact);
  if (prompts === "") throw nothingToSave(artifact);
  const what =
    "no row of the conversation is left: the prompts were restored from the history of the input line";
  const { size } = await fs.stat(path);
  const kept = pieces ?? (size === 0 ? [] : [{ file: path, start: 0, end: size }]);
  const gap = (await endsLine(fs, { pieces: kept, size: sizeOfPieces(kept) })) ? "" : "\n";
  return replaced(fs, path, [...kept, { text: gap + prompts }], [...repairs, { path, what }]);
}

async function replaced(
  fs: SessionFs,
  path: string,
  pieces: readonly Piece[],
  repairs: readonly Repair[],
): Promise<Part> {
  const entry = await lookThrough(fs, path);
  if (entry?.kind !== "file") return { basis: [], steps: [], repairs: [] };
  // The time of a log is when something was last said. Another one all the same: it tells the old file from the new.
  const mtimeMs = Math.floor(entry.mtimeMs) + 2;
  const planned: Planned = {
    ...{ kind: "file", path, mode: entry.mode, mtimeMs, size: sizeOfPieces(pieces), pieces },
  };
  return { basis: [{ entry }], steps: [{ does: "replace", path, entries: [planned] }], repairs };
}

const nothingToSave = ({ id, path }: Artifact): AppError =>
  new AppError("unreadable", `No row of session ${id} is left in ${path}, so there is nothing to repair`, {
    say: "Check whether rethread has a backup of it",
    remedy: { action: "history" },
  });
