/** What the doctor finds, while it reads: how far it is, and what was found so far. Who leaves the page stops it. */
import type { Answer } from "../../../src/client/types.ts";
import { api } from "../lib/api.ts";
import { createStore } from "../lib/store.ts";

type Diagnosis = Answer<"doctor">;

export interface Examination {
  readonly done: number;
  readonly total: number;
  /** Worst first, and of each severity in the order in which they were found. */
  readonly problems: Diagnosis["problems"];
}

export const examination = createStore<Examination | undefined>(undefined);

const SEVERITIES = ["damage", "trouble", "oddity"];

/** For a query: its signal is aborted when nobody waits for the answer any more. */
export async function askDiagnosis(signal: AbortSignal): Promise<Diagnosis> {
  let so: Examination = { done: 0, total: 0, problems: [] };
  const note = (more: Partial<Examination>): void => {
    so = { ...so, ...more };
    if (!signal.aborted) examination.set(so);
  };
  let diagnosis: Diagnosis | undefined;
  note({});
  try {
    await api.examine(
      (event) => {
        if (event.kind === "progress") note({ done: event.done, total: event.total });
        else if (event.kind === "found") note({ problems: withFound(so.problems, event.problems) });
        else diagnosis = { schemaVersion: 1, ...event };
      },
      { signal },
    );
  } finally {
    // Another one may have begun meanwhile.
    examination.set((now) => (now === so ? undefined : now));
  }
  if (!diagnosis) throw new Error("The answer ended before it was whole");
  return diagnosis;
}

export function withFound(
  before: Examination["problems"],
  found: Examination["problems"],
): Examination["problems"] {
  const rank = ({ severity }: Diagnosis["problems"][number]): number => SEVERITIES.indexOf(severity);
  return [...before, ...found].toSorted((a, b) => rank(a) - rank(b));
}
