/** Corrections that users gave, by repository, with where each was said. */
import type { PromptRow } from "../../store/chronicle/habit-rows.ts";
import type { RangedSession } from "../../store/chronicle/range.ts";
import { placeKey } from "../places.ts";
import type { Evidence } from "../report.ts";
import { type Correction, correctionIn } from "./correction.ts";

export interface FoundCorrection extends Correction {
  /** The key of the place. */
  readonly place: string;
  readonly repository: string | undefined;
  /** In how many sessions it was said. */
  readonly sessions: number;
  readonly evidence: readonly Evidence[];
}

export interface CorrectionRows {
  readonly sessions: ReadonlyMap<string, RangedSession>;
  /** By session, in order. */
  readonly prompts: ReadonlyMap<string, readonly PromptRow[]>;
}

/** Longer prompts are tasks, in which "do not" is part of the description. */
const LONGEST = 400;

/** Those that were said in at least so many sessions of a place; the first prompt of a session corrects nobody. */
export function repeatedCorrections(rows: CorrectionRows, least: number): FoundCorrection[] {
  return allCorrections(rows).filter(({ sessions }) => sessions >= least);
}

export function allCorrections({ sessions, prompts }: CorrectionRows): FoundCorrection[] {
  const found = new Map<string, FoundCorrection & { readonly held: Set<string> }>();
  for (const [key, rows] of prompts) {
    const session = sessions.get(key);
    if (!session) continue;
    const place = placeKey(session);
    for (const { turn, text, length } of rows) {
      const correction = turn > 0 && length <= LONGEST ? correctionIn(text) : undefined;
      if (!correction || correction.key.split(" ").length < 2) continue;
      const name = `${place}\n${correction.key}`;
      const known = found.get(name);
      const held = (known?.held ?? new Set<string>()).add(key);
      const { source, id, title } = session;
      found.set(name, {
        ...(known ?? correction),
        isGeneral: correction.isGeneral || known?.isGeneral === true,
        place,
        repository: session.repository,
        held,
        sessions: held.size,
        evidence: [
          ...(known?.evidence ?? []),
          { session: { source, id, title }, turn, detail: text.slice(0, 200) },
        ],
      });
    }
  }
  return [...found.values()].map(({ held: _, ...correction }) => correction);
}
