/** The plan for what is chosen now: asked again when that changes, with the one before kept until the answer is there. */
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Wanted } from "./choices.ts";
import { askForPlan, type Planned } from "./plans.ts";

export interface Planning {
  readonly planned: Planned | undefined;
  readonly error: unknown;
  /** What is shown is not, or not yet, the plan for what is chosen. */
  readonly isWaiting: boolean;
  /** Why there is no plan yet, in words. */
  readonly missing: string | undefined;
  /** Plans anew, as after something has changed or the plan was used up. */
  readonly again: () => void;
}

/** Someone who types or drags is waited for. */
const PAUSE_MS = 250;

interface State {
  /** The wish that it answers. */
  readonly wish: string | undefined;
  readonly planned?: Planned | undefined;
  readonly error?: unknown;
}

export function usePlan(wanted: Wanted): Planning {
  const missing = "missing" in wanted ? wanted.missing : undefined;
  const asks = JSON.stringify("asks" in wanted ? wanted.asks : []);
  const [round, setRound] = useState(0);
  const [state, setState] = useState<State>({ wish: undefined });
  const isFirst = useRef(true);
  const wish = `${round} ${asks}`;

  useEffect(() => {
    if (missing !== undefined) return;
    const control = new AbortController();
    const ask = async (): Promise<void> => {
      isFirst.current = false;
      try {
        const planned = await askForPlan(JSON.parse(asks), control.signal);
        if (!control.signal.aborted) setState({ wish, planned });
      } catch (error) {
        if (!control.signal.aborted) setState({ wish, error });
      }
    };
    const timer = setTimeout(ask, isFirst.current ? 0 : PAUSE_MS);
    return () => {
      clearTimeout(timer);
      control.abort();
    };
  }, [asks, missing, wish]);

  const again = useCallback(() => setRound((before) => before + 1), []);
  return useMemo(
    () =>
      missing === undefined
        ? { planned: state.planned, error: state.error, isWaiting: state.wish !== wish, missing, again }
        : { planned: undefined, error: undefined, isWaiting: false, missing, again },
    [again, missing, state, wish],
  );
}
