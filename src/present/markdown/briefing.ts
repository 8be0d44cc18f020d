/** A session as a briefing in Markdown, for an agent that cannot be given the session itself. */
import type { Session } from "../../model/session/session.ts";
import { type Brief, type BriefSection, fitBrief } from "../../model/summary/brief.ts";
import { clip } from "../../model/summary/summary.ts";
import { formatKey } from "../../model/values/id.ts";
import { plural } from "../text/measure.ts";

/** Some programs take the whole first prompt for a title. */
const MOST_TITLE = 200;

export interface Briefing {
  readonly markdown: string;
  readonly tokens: number;
  /** How many facts of each section did not fit. */
  readonly left: Readonly<Partial<Record<BriefSection, number>>>;
}

export function toBriefing(
  session: Session,
  brief: Brief,
  { budget, count }: { readonly budget: number; readonly count: (text: string) => number },
): Briefing {
  const place = [
    session.workspace,
    session.repository,
    session.branch === undefined ? undefined : `branch ${session.branch}`,
  ].filter((each) => each !== undefined && each !== "");
  const head = [
    `# ${clip(session.title, MOST_TITLE)}`,
    `You are taking over work that another agent began (${formatKey(session)}, ${plural(session.turns, "turn", "turns")}). Check the files before you rely on this. Each fact is listed under the turn that it comes from.`,
    ...(place.length > 0 ? [place.join(" · ")] : []),
  ].join("\n\n");
  const whole = (body: string): string => (body === "" ? `${head}\n` : `${head}\n\n${body}\n`);
  const { markdown, left } = fitBrief(
    brief,
    (turn) => `Turn ${turn}:`,
    (text) => count(whole(text)) <= budget,
  );
  return { markdown: whole(markdown), tokens: count(whole(markdown)), left };
}
