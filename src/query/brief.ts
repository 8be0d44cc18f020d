/** Briefs somebody on a session: reads all of it once, and keeps the facts of each turn. */
import { createRedactor } from "../model/redact/redact.ts";
import type { Session } from "../model/session/session.ts";
import type { Part, Turn } from "../model/session/turns.ts";
import { type Brief, type BriefFact, toBrief } from "../model/summary/brief.ts";
import { type TurnFacts, toFacts } from "../model/summary/turn-facts.ts";
import type { ShowVisitor } from "./show.ts";

export interface BriefRequest {
  /** Secrets are taken out before anything is shortened, so that no half of one is left. */
  readonly redact?: boolean;
}

export interface SessionBrief {
  readonly session: Session;
  readonly brief: Brief;
  /** When each turn began that a fact is from. */
  readonly times: ReadonlyMap<number, string>;
}

/** Enough of an output for the line that says why it failed, and the commit at its end. */
export const BRIEF_OUTPUT = 20_000;

export interface BriefReader extends Pick<ShowVisitor, "head" | "turn" | "preamble"> {
  end(): SessionBrief;
}

export function createBriefReader({ redact = false }: BriefRequest): BriefReader {
  const redactor = redact ? createRedactor() : undefined;
  const facts: TurnFacts[] = [];
  const times = new Map<number, string>();
  let tasks: BriefFact[] = [];
  let read: Session | undefined;
  /** Again at the end: what a later turn gives away by its name may stand in an earlier one without it. */
  const clean = <T>(value: T): T => (redactor ? redactor.value(value) : value);
  return {
    head(session) {
      read = session;
    },
    preamble: () => undefined,
    turn(turn) {
      redactor?.learn(turn);
      const shown = clean(turn);
      facts.push(toFacts(shown));
      if (turn.startedAt !== undefined) times.set(turn.index, turn.startedAt);
      tasks = openTasks(shown) ?? tasks;
    },
    end() {
      if (!read) throw new Error("the session was not read");
      const session = clean(read);
      const { workspace } = session;
      const brief = toBrief(clean(facts), {
        tasks: clean(tasks),
        ...(workspace !== undefined && { workspace }),
      });
      return { session, brief, times };
    },
  };
}

/** Of its last task list; nothing where it has none. */
function openTasks({ index, parts }: Turn): BriefFact[] | undefined {
  const list = parts.findLast((part: Part) => part.kind === "note" && part.about === "tasks");
  if (list?.kind !== "note") return undefined;
  return list.items
    .filter(({ status }) => status !== "done")
    .map(({ text, status }) => ({ turn: index, text: status === "active" ? `${text} (begun)` : text }));
}
