/** The facts about a session at the top of every page. */

import type { Session, Sidecar } from "../../model/session/session.ts";
import { formatKey } from "../../model/values/id.ts";
import { segmentsOf, withoutEndSeparators } from "../../model/values/paths.ts";
import { readablePlace } from "../../model/values/workspace-place.ts";
import { programText, shortResumeText } from "./command-text.ts";
import { ago, bytes, moment, plural } from "./measure.ts";
import { oneLine, plain } from "./text.ts";

export interface Fact {
  readonly name: string;
  readonly value: string;
  /** To be copied as it is. */
  readonly isCommand?: true;
}

export const titleOf = (session: Pick<Session, "title">): string => oneLine(session.title) || "(untitled)";

/** The repository or folder, and the branch, in one cell of a table. */
export function shortPlaceOf({ workspace, repository, branch }: Session): string {
  const folder = segmentsOf(withoutEndSeparators(workspace ?? "")).at(-1);
  // Whose repository it is says the least about where the work was.
  const place = repository?.split("/").pop() ?? folder ?? "";
  return oneLine(branch ? `${place}@${branch}` : place);
}

function originOf({ parent, handedFrom }: Session): string | undefined {
  if (parent) return `${parent.kind} of ${parent.title ?? parent.id}`;
  return handedFrom && `handoff of ${handedFrom.title ?? handedFrom.id} (${formatKey(handedFrom)})`;
}

/** The page is read in a terminal, now and here. */
interface Here {
  readonly now: Date;
  readonly isDemo: boolean;
}

/** Without `here` for a page that is kept: "yesterday" would be wrong tomorrow, and its reader may not have rethread. */
export function factsOf(session: Session, here?: Here): Fact[] {
  const passed = here ? ago(session.updatedAt, here.now) : "";
  const command = here ? session.resume && shortResumeText(session, here.isDemo) : programText(session);
  const facts: (Fact | undefined)[] = [
    fact("session", formatKey(session)),
    fact("workspace", session.workspace && readablePlace(session.workspace)),
    fact("repository", session.repository),
    fact("branch", session.branch),
    fact("started", moment(session.createdAt)),
    fact(
      "active",
      session.updatedAt && `${moment(session.updatedAt)}${/ago|day|now/.test(passed) ? ` (${passed})` : ""}`,
    ),
    fact("size", `${plural(session.turns, "turn", "turns")}, ${bytes(session.bytes)}`),
    fact("model", session.models.join(", ")),
    fact("tags", session.tags?.join(", ")),
    fact("between", session.userName && [session.userName, session.agentName].filter(Boolean).join(" and ")),
    fact("from", originOf(session)),
    fact("also has", session.sidecars && sidecarGist(session.sidecars)),
    fact("open in", session.openIn === undefined ? undefined : `process ${session.openIn}`),
    fact(
      "files",
      session.vanishedAt && `gone since ${moment(session.vanishedAt)}; this is the archived copy`,
    ),
    command === undefined ? undefined : { name: "continue", value: plain(command), isCommand: true },
  ];
  return facts.filter((each) => each !== undefined);
}

const SIDECAR_WORDS: Record<Sidecar["kind"], readonly [one: string, many: string]> = {
  plan: ["plan", "plans"],
  checkpoint: ["checkpoint", "checkpoints"],
  file: ["file", "files"],
  research: ["research note", "research notes"],
  snapshot: ["turn to rewind files to", "turns to rewind files to"],
  "file-state": ["kept file state", "kept file states"],
  tasks: ["task list", "task lists"],
};

/** "plan, 2 checkpoints, task list (3 done, 1 pending)" */
function sidecarGist(sidecars: readonly Sidecar[]): string {
  const groups = Map.groupBy(sidecars, (sidecar) => sidecar.kind);
  return [...groups]
    .map(([kind, found]) => {
      const [one, many] = SIDECAR_WORDS[kind];
      const detail = kind === "tasks" && found[0]?.detail ? ` (${found[0].detail})` : "";
      return (found.length === 1 ? one : `${found.length} ${many}`) + detail;
    })
    .join(", ");
}

const fact = (name: string, value: string | undefined): Fact | undefined =>
  value ? { name, value: oneLine(value) } : undefined;
