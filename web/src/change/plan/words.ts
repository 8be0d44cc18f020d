/** A plan in words: what happens to the session, in a sentence or two. */
import { amount, plural } from "../../../../src/present/text/measure.ts";
import { sourceOf } from "../../lib/sources.ts";
import type { ChangeKind } from "../change.ts";
import type { Choices } from "../choices.ts";
import type { Plan } from "../plans.ts";

const turnsOf = (count: number): string => plural(count, "turn", "turns");
const sessionsOf = (count: number): string => plural(count, "session", "sessions");

const isNew = ({ session, plan }: Plan): boolean =>
  session !== null && (session.id !== plan.from.id || session.source !== plan.from.source);

/** What the plan will do. */
export function describePlan(kind: ChangeKind, plan: Plan, choices: Choices): string {
  const { stats } = plan;
  switch (kind) {
    case "clone": {
      const where =
        choices.to === "" ? " in the same folder" : plan.workspace ? ` for ${plan.workspace}` : "";
      const how = stats && stats.removedTokens > 0 ? "a smaller copy" : "a copy";
      return `Makes ${how} under a new id${where}. The original is not changed.`;
    }
    case "fork":
      return stats && stats.removedTurns > 0
        ? `Copies turns 0 to ${stats.clonedTurns - 1} into a new session. The original keeps all ${turnsOf(stats.originalTurns)}.`
        : "Copies all turns into a new session, recorded as a fork. The original keeps all its turns.";
    case "rewind": {
      const gone = stats ? turnsOf(stats.removedTurns) : "The later turns";
      return isNew(plan)
        ? `Makes a new session that ends with turn ${choices.turn}; the original is not changed.`
        : `Removes ${gone} after turn ${choices.turn} from the session, which keeps its id. A backup is kept.`;
    }
    case "compact":
      return choices.append
        ? "Appends a summary of everything, as the program does itself. Nothing is removed from the log, and the model receives the summary instead."
        : `Replaces the older turns by a summary; the last ${choices.keep === 1 ? "turn is" : `${amount(choices.keep)} turns are`} kept word for word.`;
    case "checkpoint-create":
      return "Writes a summary of everything so far beside the session. The conversation is not changed.";
    case "move": {
      const count = plan.sessions?.length ?? 1;
      const from = plan.move?.from ? ` from ${plan.move.from}` : "";
      return `Moves ${count === 1 ? "the session" : sessionsOf(count)}${from} to ${plan.move?.to ?? choices.to}. No file of the folder itself is touched.`;
    }
    case "rename":
      return `Names the session “${choices.name.trim()}”. Its own program shows the new name, too.`;
    case "delete": {
      const count = plan.sessions?.length ?? 1;
      return `Removes ${count === 1 ? "the session with all its files" : `${sessionsOf(count)} with all their files`}. A backup is kept, so it can be undone.`;
    }
    case "rescue":
    case "rescue-all":
      return describeRescue(plan);
    case "import": {
      const others = plan.also?.length ?? 0;
      return `Adds ${others === 0 ? "the session" : sessionsOf(others + 1)} to those on this machine.`;
    }
    case "handoff": {
      const to = sourceOf(choices.target).short;
      const where = plan.workspace ? ` for ${plan.workspace}` : "";
      return `Makes a session of ${to}${where} that continues this one. The original is not changed.`;
    }
    case "undo":
      return "Restores every file to what it was before the write, byte for byte.";
    case "backup-copy":
      return "Makes a new session of what the backup holds. What is there now is not changed.";
  }
}

function describeRescue({ repairs = [], adoptions = [] }: Plan): string {
  const found = repairs.filter(({ lost }) => !lost).length;
  const followed = adoptions.filter(({ to }) => to !== null).length;
  const parts = [
    ...(found > 0 ? [`repairs ${plural(found, "place", "places")}`] : []),
    ...(followed > 0 ? [`lets the sessions of ${plural(followed, "folder", "folders")} follow it`] : []),
  ];
  const says = parts.length === 0 ? "repairs what is damaged" : parts.join(" and ");
  return `${says.charAt(0).toUpperCase()}${says.slice(1)}, so that the program reads it again. A backup is kept.`;
}

/** Why a plan has nothing to do. */
export function describeNothing(kind: ChangeKind, plan: Plan): string {
  const { stats } = plan;
  switch (kind) {
    case "rewind":
      return `The session already ends with turn ${stats ? stats.clonedTurns - 1 : "that"}.`;
    case "compact":
      return stats
        ? `The session has ${turnsOf(stats.originalTurns)}: all of them are kept, or summarized already.`
        : "All turns are kept.";
    case "move":
      return `The session already has the folder ${plan.move?.to ?? ""}.`;
    case "rename":
      return "The session already has this name.";
    case "rescue":
    case "rescue-all":
      return plan.losses.length > 0 ? "Nothing in it can be repaired." : "Nothing is wrong with it.";
    case "import":
      return "The session is already here, with the same content.";
    default:
      return "There is nothing to do.";
  }
}

export const STEP_WORDS: Readonly<Record<Plan["plan"]["steps"][number]["does"], string>> = {
  place: "create",
  replace: "replace",
  remove: "remove",
  set: "update",
};
