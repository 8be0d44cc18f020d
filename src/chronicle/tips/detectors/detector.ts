/** What a detector is: a pure function from habits to findings. */
import type { Evidence } from "../../report.ts";
import type { Finding } from "../finding.ts";
import type { Habits } from "../habits.ts";

export type Detector = (habits: Habits) => Finding[];

/** Where something was seen; nothing for a session that is not in the range. */
export function seenAt(
  { sessions }: Pick<Habits, "sessions">,
  key: string,
  turn: number | null,
  detail?: string,
): Evidence[] {
  const session = sessions.get(key);
  if (!session) return [];
  const { source, id, title } = session;
  return [{ session: { source, id, title }, turn, ...(detail !== undefined && { detail }) }];
}

export const count = (number: number, one: string, many: string): string =>
  `${number} ${number === 1 ? one : many}`;
