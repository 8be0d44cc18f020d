/** One change from the first choice to the result: the dialog and the clone page show what it says. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { Answer } from "../../../src/client/types.ts";
import { ApiError, api, keys } from "../lib/api.ts";
import type { ChangeRequest } from "./change.ts";
import { type Choices, startingChoices, toWanted } from "./choices.ts";
import { toCommandLine } from "./command.ts";
import type { Written } from "./plans.ts";
import { type Planning, usePlan } from "./use-plan.ts";

export type Facts = Awaited<ReturnType<typeof api.session>>;
export type Job = Answer<"job-start">;

export type Phase =
  | { readonly name: "choosing" }
  | { readonly name: "applying" }
  | { readonly name: "done"; readonly written: Written }
  /** It waits in the background until VS Code has ended. */
  | { readonly name: "waiting"; readonly job: Job };

export interface Change {
  readonly request: ChangeRequest;
  readonly choices: Choices;
  readonly choose: (some: Partial<Choices>) => void;
  readonly planning: Planning;
  /** Of the one session that it is about, once they are known. */
  readonly facts: Facts | undefined;
  readonly phase: Phase;
  /** Why the last attempt to apply wrote nothing. */
  readonly refusal: ApiError | undefined;
  /** The plan that is shown is the one for what is chosen, and has something to do. */
  readonly canApply: boolean;
  readonly apply: () => Promise<void>;
  /** Starts a job that applies it once VS Code has ended; nothing where that is no choice. */
  readonly applyLater: (() => Promise<void>) | undefined;
}

/** The changes that a job can make. */
const CAN_WAIT: ReadonlySet<string> = new Set([
  "clone",
  "fork",
  "rewind",
  "move",
  "rename",
  "delete",
  "rescue",
  "rescue-all",
  "import",
  "handoff",
  "undo",
  "backup-copy",
]);

export function useChange(request: ChangeRequest): Change {
  const { kind, sessions } = request;
  const [choices, setChoices] = useState(() => startingChoices(request));
  const [phase, setPhase] = useState<Phase>({ name: "choosing" });
  const [refusal, setRefusal] = useState<ApiError>();
  const wanted = useMemo(() => toWanted(kind, sessions, choices), [kind, sessions, choices]);
  const planning = usePlan(wanted);
  const { planned, isWaiting, error, again } = planning;

  const [session] = sessions;
  const { data: facts } = useQuery({
    queryKey: keys.session(session ?? ""),
    queryFn: ({ signal }) => api.session(session ?? "", { signal }),
    enabled: session !== undefined && sessions.length === 1,
  });

  const choose = useCallback((some: Partial<Choices>): void => {
    setRefusal(undefined);
    setChoices((before) => ({ ...before, ...some }));
  }, []);

  const isReady = planned !== undefined && !isWaiting && error === undefined;
  const canApply = isReady && planned.plan.plan.steps.length > 0 && phase.name === "choosing";

  /** Exactly the plan that is shown. A plan is used up by an attempt, so the next one is made at once. */
  const apply = async (): Promise<void> => {
    if (!canApply) return;
    setPhase({ name: "applying" });
    setRefusal(undefined);
    try {
      setPhase({ name: "done", written: await api.apply(planned.plan.fingerprint) });
    } catch (failure) {
      setRefusal(asApiError(failure));
      setPhase({ name: "choosing" });
      again();
    }
  };

  const asks = "asks" in wanted ? wanted.asks : [];
  const canWait = asks.length > 0 && CAN_WAIT.has(kind);
  const applyLater = async (): Promise<void> => {
    setPhase({ name: "applying" });
    try {
      const command = asks.map(toCommandLine).join(" && ");
      const changes = asks.map(({ operation, input }) => ({ operation: operation as "clone", input }));
      setPhase({ name: "waiting", job: await api.startJob({ changes, command }) });
    } catch (failure) {
      setRefusal(asApiError(failure));
      setPhase({ name: "choosing" });
    }
  };

  return {
    request,
    choices,
    choose,
    planning,
    facts,
    phase,
    refusal,
    canApply,
    apply,
    applyLater: canWait ? applyLater : undefined,
  };
}

function asApiError(failure: unknown): ApiError {
  if (failure instanceof ApiError) return failure;
  throw failure;
}
