/** The lines of a file by who wrote them: runs of one turn or commit, how old each is, and a sentence on all of them. */
import type { HubNamed } from "../../../../src/client/hub-types.ts";
import type { Answer } from "../../../../src/client/index.ts";
import { amount, plural } from "../../../../src/present/text/measure.ts";
import { toKey } from "../../lib/session-key.ts";

export type Blame = Answer<"blame">;
type AnyLine = Blame["lines"][number];
export type BlamedLine = Omit<AnyLine, "session"> & {
  readonly session: (NonNullable<AnyLine["session"]> & Partial<HubNamed>) | null;
};

/** Where a line stands in the run of lines that came together. */
export interface Place {
  readonly line: BlamedLine;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  /** The number of its run. */
  readonly group: number;
  /** Of its turn; told with the first line of the run. */
  readonly prompt: string | null;
  /** 1 for what was written last, 0 for the oldest; nothing where nobody knows when. */
  readonly heat: number | undefined;
  /** No session wrote it, and git says that no commit has it; without git nobody knows. */
  readonly isUncommitted: boolean;
}

/** What lines of one run have in common. */
const keyOf = ({ session, turn, commit }: BlamedLine): string =>
  session ? `${toKey(session)} ${turn}` : (commit ?? "");

export function toPlaces({ lines, hasGit }: Pick<Blame, "lines" | "hasGit">): Place[] {
  const times = lines.flatMap(({ time }) => (time === null ? [] : [Date.parse(time)]));
  const [oldest, latest] = times.reduce(
    ([low, high], time) => [Math.min(low, time), Math.max(high, time)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  const heatOf = (time: string | null): number | undefined => {
    if (time === null) return undefined;
    return latest === oldest ? 1 : (Date.parse(time) - oldest) / (latest - oldest);
  };
  let group = -1;
  let prompt: string | null = null;
  return lines.map((line, at) => {
    const key = keyOf(line);
    const [before, after] = [lines[at - 1], lines[at + 1]];
    const isFirst = !before || keyOf(before) !== key;
    if (isFirst) {
      group++;
      prompt = line.prompt;
    }
    return {
      line,
      group,
      prompt,
      isFirst,
      isLast: !after || keyOf(after) !== key,
      heat: heatOf(line.time),
      isUncommitted: !line.session && line.commit === null && hasGit,
    };
  });
}

/** The first line of the next run, or of the one before; lines count from 1. */
export function nextGroup(
  places: readonly Place[],
  line: number | undefined,
  by: 1 | -1,
): number | undefined {
  const firsts = places.flatMap(({ isFirst, line: { line: number } }) => (isFirst ? [number] : []));
  if (line === undefined) return firsts[0];
  return by > 0
    ? (firsts.find((first) => first > line) ?? line)
    : (firsts.findLast((first) => first < line) ?? line);
}

export function summaryOf({
  lines,
  total,
  unread,
  hasGit,
}: Pick<Blame, "lines" | "total" | "unread" | "hasGit">): string {
  const own = lines.filter(({ session }) => session);
  const sessions = new Set(own.map(({ session }) => session && toKey(session))).size;
  const committed = lines.filter(({ session, commit }) => !session && commit !== null).length;
  const others = lines.length - own.length - committed;
  return [
    own.length === 0
      ? `no session wrote any of ${plural(total, "line", "lines")}`
      : `${amount(own.length)} of ${plural(total, "line", "lines")} by ${plural(sessions, "session", "sessions")}`,
    committed > 0 && `${amount(committed)} by commits`,
    others > 0 && `${amount(others)} ${hasGit ? "not committed" : "by others"}`,
    unread > 0 && `${plural(unread, "session", "sessions")} could not be read`,
  ]
    .filter(Boolean)
    .join(" · ");
}
