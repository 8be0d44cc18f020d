/** Fallbacks for facts that a session file does not have. */
import { severityOf } from "../../../model/problem.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { isObject } from "../../log/jsonl.ts";
import { transcriptIn } from "../index-db/stores.ts";
import type { Fault, ParsedSession } from "./parsed-session.ts";
import type { OpenSession } from "./session-file.ts";

/** VS Code reads on over every fault of the file. */
export const isIntact = ({ faults }: ParsedSession): boolean => faults.every(isHarmless);

const isHarmless = (fault: Fault): boolean =>
  severityOf(fault) !== "damage" || fault.code === "record-encoding";

/** Whether a turn tells anything; damage may leave its beginning, torn off before anything was said in it. */
export const isTelling = (value: unknown, parsed: ParsedSession): boolean =>
  isObject(value) && (isIntact(parsed) || value.message !== undefined || value.response !== undefined);

/** Whether a file without a telling turn is so because of damage; otherwise it was emptied, or never filled. */
export const isDamaged = ({ faults, hasTurns, turns }: ParsedSession): boolean =>
  faults.length > 0 || !hasTurns || turns.length > 0;

export type Rescue =
  /** The turns before the log was emptied. */
  | { readonly by: "log"; readonly turns: ParsedSession["turns"] }
  | { readonly by: "transcript"; readonly path: string }
  /** The older form of the session, hidden by the broken log. */
  | { readonly by: "twin"; readonly path: string };

/** The one rule for everybody who reads a session whose file tells no turn. */
export async function findRescue(
  fs: SessionFs,
  { parsed, isLog }: OpenSession,
  at: { readonly path: string; readonly id: string; readonly folder: string | undefined },
): Promise<Rescue | undefined> {
  if (parsed.removed) return { by: "log", turns: parsed.removed };
  const transcript = at.folder === undefined ? undefined : transcriptIn(at.folder, at.id);
  if (transcript !== undefined && (await fs.exists(transcript)))
    return { by: "transcript", path: transcript };
  const twin = at.path.replace(/\.jsonl$/, ".json");
  return isLog && isDamaged(parsed) && (await fs.exists(twin)) ? { by: "twin", path: twin } : undefined;
}
