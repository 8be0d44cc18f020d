/** What fills the context, and what the budget under the handle would do: asked as fast as answers come. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { api, keys } from "../../../lib/api.ts";
import { fates, NO_FATES } from "../fates.ts";
import type { Session } from "../types.ts";
import { countByCall, fatesOf } from "./fates-of.ts";
import type { LensAnswer } from "./types.ts";

/** A log of this size is read only when asked for: the conversation itself needs a few pages of it. */
export const LARGE_BYTES = 24_000_000;
/** The conversation is read first. */
const SOON_MS = 150;

export interface LensState {
  readonly lens: LensAnswer | undefined;
  readonly error: unknown;
  readonly retry: () => void;
  /** It is large, so somebody has to ask for it. */
  readonly start: (() => void) | undefined;
  /** Where the handle stands; nothing where no budget is set. */
  readonly budget: number | undefined;
  readonly setBudget: (budget: number | undefined) => void;
  /** What a budget would do: of the handle as it stands, or of where it just was. */
  readonly effect: LensAnswer | undefined;
  /** The answer for where the handle stands is on its way. */
  readonly isAsking: boolean;
  /** Somebody reaches for the handle: what all budgets need is read before the first is asked for. */
  readonly reach: () => void;
}

/** The whole log is read for it, so an agent that writes is waited for. */
const QUIET_MS = 3000;

export function useLens(key: string, { bytes, updatedAt }: Pick<Session, "bytes" | "updatedAt">): LensState {
  const [isWanted, setWanted] = useState(false);
  const isLarge = bytes > LARGE_BYTES;
  useEffect(() => {
    if (isLarge) return;
    const timer = setTimeout(() => setWanted(true), SOON_MS);
    return () => clearTimeout(timer);
  }, [isLarge]);
  const { data, error, refetch } = useQuery({
    queryKey: keys.lens(key),
    queryFn: ({ signal }) => api.lens(key, {}, { signal }),
    enabled: isWanted,
    placeholderData: (before) => before,
  });
  const version = `${bytes} ${updatedAt}`;
  const read = useRef(version);
  useEffect(() => {
    if (!isWanted || read.current === version) return;
    const timer = setTimeout(() => {
      read.current = version;
      void refetch();
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [isWanted, refetch, version]);
  const [budget, setBudget] = useState<number>();
  const { effect, isAsking, reach } = useEffectOf(key, data, budget);
  useFates(data, budget === undefined ? undefined : effect);
  return {
    lens: data,
    error,
    retry: () => void refetch(),
    start: isLarge && !isWanted ? () => setWanted(true) : undefined,
    budget,
    setBudget,
    effect: budget === undefined ? undefined : effect,
    isAsking: budget !== undefined && isAsking,
    reach,
  };
}

/** The answer for where the handle stands, or for where it just was. */
function useEffectOf(
  key: string,
  lens: LensAnswer | undefined,
  budget: number | undefined,
): { effect: LensAnswer | undefined; isAsking: boolean; reach: () => void } {
  const [effect, setEffect] = useState<LensAnswer>();
  const asker = useRef<Asker>(undefined);
  useEffect(() => {
    // Another answer about the session makes those for budgets stale.
    if (!lens) return;
    const made = createAsker(key, setEffect);
    asker.current = made;
    return () => made.stop();
  }, [key, lens]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when the session changed
  useEffect(() => asker.current?.want(budget), [budget, lens]);
  const tokens = lens?.tokens ?? 0;
  const reach = useCallback(() => {
    if (tokens > 1) asker.current?.want(tokens - 1);
  }, [tokens]);
  return { effect, isAsking: effect?.budget?.asked !== budget, reach };
}

interface Asker {
  want(budget: number | undefined): void;
  stop(): void;
}

/** One question at a time: the next one is for where the handle stands by then. */
function createAsker(key: string, onAnswer: (answer: LensAnswer) => void): Asker {
  const known = new Map<number, LensAnswer>();
  const control = new AbortController();
  const { signal } = control;
  let wanted: number | undefined;
  let isAsking = false;
  const run = async (): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    try {
      while (wanted !== undefined && !signal.aborted) {
        const budget = wanted;
        const answer = known.get(budget) ?? (await api.lens(key, { budget, changedOnly: true }, { signal }));
        known.set(budget, answer);
        if (!signal.aborted) onAnswer(answer);
        if (wanted === budget) return;
      }
    } catch {
      // What was last known stays, and the next place of the handle asks again.
    } finally {
      isAsking = false;
    }
  };
  return {
    want(budget) {
      wanted = budget;
      void run();
    },
    stop: () => control.abort(),
  };
}

/** The conversation dims what would go. */
function useFates(lens: LensAnswer | undefined, effect: LensAnswer | undefined): void {
  const whole = useMemo(
    () =>
      lens && {
        counts: countByCall(lens.passages),
        thoughts: lens.passages.filter(({ kind }) => kind === "thinking").length,
      },
    [lens],
  );
  useEffect(() => {
    fates.set(
      whole && effect?.budget ? fatesOf(effect.budget.asked, effect, whole.counts, whole.thoughts) : NO_FATES,
    );
  }, [whole, effect]);
  useEffect(() => () => fates.set(NO_FATES), []);
}
