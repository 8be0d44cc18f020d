/**
 * What fills a session's context, and what a clone with a budget would keep of it. Exact, as the source cuts in memory as
 * it does for a clone, and budgets are lowered by the same rule; fast, as the session is read once.
 */

import { createTargets } from "../../edit/plan/within-budget.ts";
import { AppError } from "../../model/errors.ts";
import { toStats } from "../../model/plan-facts.ts";
import type { ContextLimit } from "../../model/session/context.ts";
import type { Artifact } from "../../model/session/session.ts";
import { formatKey } from "../../model/values/id.ts";
import { createComparison, type Lens, type LensOutcome, readLens } from "../../query/lens.ts";
import { type LensBudget, type LensEffect, type LensReport, toLensReport } from "../../query/lens-report.ts";
import type { Found } from "../../query/resolve.ts";
import { loadTokenizer } from "../../query/tokens.ts";
import type { PreviewedDraft } from "../../sources/editor.ts";
import { type Call, toProgress } from "../call.ts";
import { refusal, refuseNewer } from "../edit/plan-session.ts";
import type { Request } from "../request.ts";
import { isSamePrint, type Remembered } from "./remembered.ts";

/** What it needs of a request. */
type Homes = Pick<Request, "catalog" | "find">;

/** What is remembered of a session. Each is read once, however many ask for it meanwhile. */
export interface KnownLens {
  readonly lens: Promise<Lens>;
  readonly limit: Promise<ContextLimit | undefined>;
  drafts?: Promise<Drafts>;
}

/** The drafts for any budget, and what they come to. */
interface Drafts {
  /** The tokens of the smallest one. */
  readonly smallest: number;
  draw(budget: number): Drawn;
}

interface Drawn {
  readonly draft: PreviewedDraft;
  readonly outcome: LensOutcome;
}

export async function askLens(
  opened: Homes,
  name: string,
  { budget }: { readonly budget?: number },
  call: Call,
  remembered: Remembered<KnownLens>,
): Promise<LensReport> {
  const { catalog } = opened;
  const found = (await findAgain(opened, name, remembered)) ?? (await opened.find(name));
  const { artifact } = found;
  const known = remembered.get(artifact) ?? read(opened, found, call, remembered);
  const [lens, limit] = await Promise.all([known.lens, known.limit]);
  const about = limit && { limit };
  try {
    const { editor } = await catalog.editing(artifact);
    if (budget === undefined && editor.preview) return { ...toLensReport(lens), ...about };
    known.drafts ??= openDrafts(opened, artifact, lens, remembered);
    const drafts = await known.drafts;
    if (budget === undefined) return { ...toLensReport(lens), ...about };
    const { result, effect } = within(drafts, lens, budget);
    return { ...toLensReport(lens, effect), ...about, budget: result };
  } catch (error) {
    // What cannot be changed can still be looked at.
    if (!(error instanceof Error && "code" in error)) throw refusal(error, artifact);
    return { ...toLensReport(lens), ...about, why: refusal(error, artifact).message };
  }
}

/** A session that has not changed since it was last asked for is found without looking through all homes. */
async function findAgain(
  { catalog }: Homes,
  name: string,
  remembered: Remembered<KnownLens>,
): Promise<Found | undefined> {
  const artifact = remembered.artifactOf(name);
  if (!artifact || artifact.vanishedAt !== undefined) return undefined;
  const now = await catalog.fs.stat(artifact.path).catch(() => undefined);
  return now && isSamePrint(now, artifact.fingerprint) ? { artifact, problems: [] } : undefined;
}

function read({ catalog }: Homes, found: Found, call: Call, remembered: Remembered<KnownLens>): KnownLens {
  const known: KnownLens = {
    lens: readLens(catalog, found, toProgress(call)),
    limit: catalog.contextLimit(found.artifact),
  };
  remembered.set(found.artifact, known);
  for (const part of [known.lens, known.limit]) part.catch(() => remembered.drop(found.artifact));
  return known;
}

async function openDrafts(
  { catalog }: Homes,
  artifact: Artifact,
  lens: Lens,
  remembered: Remembered<KnownLens>,
): Promise<Drafts> {
  refuseNewer(artifact, lens.problems);
  const { source, editor } = await catalog.editing(artifact);
  if (!editor.preview)
    throw new AppError(
      "not-supported",
      `Rethread cannot tell what a budget would leave of sessions of ${source.label}`,
      { say: "See the plan of a clone instead", remedy: { action: "clone", session: formatKey(artifact) } },
    );
  const preview = await editor.preview(catalog.fs, artifact, await loadTokenizer());
  remembered.weigh(artifact, preview.bytes);
  const compare = createComparison(lens, preview);
  /** By the steps that led there: budgets that are close together often come to the same. */
  const known = new Map<number, Drawn>();
  const draw = (budget: number): Drawn => {
    const draft = preview.draw(budget);
    const drawn = known.get(draft.steps) ?? { draft, outcome: compare(draft) };
    if (known.size >= MOST_DRAWN) known.clear();
    known.set(draft.steps, drawn);
    return drawn;
  };
  return { smallest: draw(0).outcome.tokens, draw };
}

const MOST_DRAWN = 20;

/** As `clone` finds the draft that fits; where none does, the smallest. */
function within(
  drafts: Drafts,
  { session, tokens }: Lens,
  asked: number,
): { result: LensBudget; effect: LensEffect } {
  const next = createTargets(asked);
  let drawn = drafts.draw(asked);
  let target = next(drawn.outcome.tokens);
  while (typeof target === "number") {
    drawn = drafts.draw(target);
    target = next(drawn.outcome.tokens);
  }
  const { draft, outcome } = drawn;
  return {
    result: {
      asked,
      tokens: outcome.tokens,
      alreadyFits: tokens <= asked,
      ledger: draft.ledger(),
      stats: toStats({ turns: session.turns, tokens }, { turns: draft.turns, tokens: outcome.tokens }),
      reachable: target === "fits",
      smallest: drafts.smallest,
    },
    effect: { outcome, dropped: draft.dropped },
  };
}
