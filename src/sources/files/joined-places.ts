/** Joins steps of several sessions that place the same folder: it is made once, with what each puts into it. */
import { joinSessions, type Planned, type Step } from "../../model/plan.ts";

/** Nothing where they do not place one folder. `both` makes one of two files that are at the same path. */
export function joinPlaces(
  first: Step | undefined,
  next: Step,
  both: (first: Planned, next: Planned) => Planned = (_, later) => later,
): Step | undefined {
  if (first?.does !== "place" || next.does !== "place" || first.entries[0]?.kind !== "folder")
    return undefined;
  const entries = new Map<string, Planned>(first.entries.map((each) => [each.path, each]));
  for (const entry of next.entries) {
    const there = entries.get(entry.path);
    entries.set(entry.path, there ? both(there, entry) : entry);
  }
  const { sessions: _, ...rest } = first;
  return { ...rest, ...joinSessions(first, next), entries: [...entries.values()] };
}
