/** Compares two sessions: turns, files, commands, and the tokens that each would send. */

import { AppError } from "../model/errors.ts";
import { type Comparison, compareTurns } from "../model/session/compare.ts";
import type { Session } from "../model/session/session.ts";
import { digestParts, type TurnDigest, toDigest } from "../model/session/turn-digest.ts";
import type { Catalog } from "../sources/catalog.ts";
import { countContext } from "./context.ts";
import { readHead } from "./heads.ts";
import type { Found } from "./resolve.ts";
import { tellSession } from "./show.ts";
import { loadTokenizer } from "./tokens.ts";

export interface DiffSide {
  readonly session: Session;
  /** The tokens of the next request; undefined when the source does not know them. */
  readonly tokens?: number;
}

export interface SessionDiff extends Comparison {
  readonly a: DiffSide;
  readonly b: DiffSide;
  /** Nothing that was said or done differs. */
  readonly isSame: boolean;
  /** Compared by what was said and done alone, because two programs write it down in two ways. */
  readonly acrossSources: boolean;
  /** What stands before the first prompt, such as a summary of older turns, is not the same. */
  readonly preambleDiffers: boolean;
}

export async function diffSessions(catalog: Catalog, a: Found, b: Found): Promise<SessionDiff> {
  const left = await readSide(catalog, a);
  const right = a.artifact.path === b.artifact.path ? left : await readSide(catalog, b);
  const acrossSources = left.session.source !== right.session.source;
  const comparison = compareTurns(left.turns, right.turns, { acrossSources });
  const preambleDiffers = left.preamble !== right.preamble;
  return {
    ...comparison,
    a: left.side,
    b: right.side,
    acrossSources,
    preambleDiffers,
    isSame: !preambleDiffers && comparison.steps.every((step) => step.kind === "same"),
  };
}

/** Turn by turn, so that of a long log only hashes and a few words are kept. */
async function readSide(catalog: Catalog, { artifact, problems }: Found) {
  const head = await readHead(catalog, artifact, problems);
  const { session } = head;
  const turns: TurnDigest[] = [];
  let preamble = "";
  await tellSession(
    catalog,
    head,
    {},
    {
      head: () => undefined,
      preamble(parts) {
        preamble = digestParts(parts);
      },
      turn: (turn) => void turns.push(toDigest(turn, session.workspace)),
    },
  );
  const tokens = await countTokens(catalog, artifact);
  return { session, turns, preamble, side: { session, ...(tokens !== undefined && { tokens }) } };
}

async function countTokens(catalog: Catalog, artifact: Found["artifact"]): Promise<number | undefined> {
  try {
    return countContext(await catalog.context(artifact), await loadTokenizer()).tokens;
  } catch (error) {
    // The source does not know, or its program would refuse the file; the turns can still be compared.
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
