/** The lens as people see it: shares, passages and turns, each with what a budget would leave of it. */
import type { EditStats } from "../model/plan-facts.ts";
import type { Ledger } from "../model/reduce/reduction.ts";
import type { ContextLimit } from "../model/session/context.ts";
import type { Session } from "../model/session/session.ts";
import type { ShareKind } from "./context-parts.ts";
import type { Fate, Lens, LensOutcome, LensPassage } from "./lens.ts";

export interface FatedPassage extends LensPassage {
  readonly fate: Fate;
  readonly tokensAfter: number;
}

/** All passages of one kind, and of one tool where they have one. */
export interface LensShare {
  readonly kind: ShareKind;
  readonly tool?: string;
  readonly tokens: number;
  readonly tokensAfter: number;
  readonly count: number;
}

export interface FatedTurn {
  readonly index: number;
  /** Nothing for turns that the model no longer receives. */
  readonly tokens: number;
  readonly tokensAfter: number;
  /** `cut` where the turn stays and something of it does not. */
  readonly fate: Fate;
}

/** What a clone with this budget would do. */
export interface LensBudget {
  readonly asked: number;
  readonly tokens: number;
  readonly alreadyFits: boolean;
  readonly ledger: Ledger;
  readonly stats: EditStats;
  /** False where no clone can be that small; what is told then is the smallest. */
  readonly reachable: boolean;
  /** The tokens of the smallest clone. */
  readonly smallest: number;
}

export interface LensReport {
  readonly session: Session;
  readonly tokens: number;
  readonly limit?: ContextLimit;
  /** Largest first. */
  readonly shares: readonly LensShare[];
  readonly passages: readonly FatedPassage[];
  readonly turns: readonly FatedTurn[];
  readonly budget?: LensBudget;
  /** Why no budget can be set. */
  readonly why?: string;
}

export interface LensEffect {
  readonly outcome: LensOutcome;
  /** The turns that are left out. */
  readonly dropped: ReadonlySet<number>;
}

export function toLensReport(
  { session, tokens, passages }: Lens,
  effect?: LensEffect,
): Pick<LensReport, "session" | "tokens" | "shares" | "passages" | "turns"> {
  const { outcome, dropped } = effect ?? {};
  const fated = passages.map(
    (passage): FatedPassage => ({
      ...passage,
      fate: outcome?.fates[passage.id] ?? "kept",
      tokensAfter: outcome?.tokensAfter[passage.id] ?? passage.tokens,
    }),
  );
  for (const added of outcome?.added ?? [])
    fated.push({ ...added, id: fated.length, tokens: 0, tokensAfter: added.tokens, fate: "kept" });
  return {
    session,
    tokens,
    shares: toShares(fated),
    passages: fated,
    turns: toTurns(fated, session.turns, dropped),
  };
}

function toShares(passages: readonly FatedPassage[]): LensShare[] {
  const groups = Map.groupBy(passages, ({ kind, tool }) => `${kind} ${tool ?? ""}`);
  const shares = [...groups.values()].flatMap((each): LensShare[] => {
    const [first] = each;
    if (!first) return [];
    const { kind, tool } = first;
    return [{ kind, ...(tool !== undefined && { tool }), ...sum(each), count: each.length }];
  });
  return shares.sort((a, b) => b.tokens - a.tokens);
}

const sum = (passages: readonly FatedPassage[]): { tokens: number; tokensAfter: number } => ({
  tokens: passages.reduce((all, { tokens }) => all + tokens, 0),
  tokensAfter: passages.reduce((all, { tokensAfter }) => all + tokensAfter, 0),
});

function toTurns(
  passages: readonly FatedPassage[],
  turns: number,
  dropped: ReadonlySet<number> = new Set(),
): FatedTurn[] {
  const byTurn = Map.groupBy(passages, ({ turn }) => turn);
  return Array.from({ length: turns }, (_, index): FatedTurn => {
    const own = byTurn.get(index) ?? [];
    const isWhole = own.every(({ fate }) => fate === "kept");
    return { index, ...sum(own), fate: dropped.has(index) ? "dropped" : isWhole ? "kept" : "cut" };
  });
}
