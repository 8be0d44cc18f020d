/** The date that VS Code's list sorts a copied or moved session by. */
import { toMs } from "../../../../model/values/time.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { JsonObject } from "../../../log/jsonl.ts";
import type { Target } from "../copy/target.ts";
import { type EntryFacts, readList } from "./list.ts";

/** With so many in a list, one with an old date could soon leave it. */
const MANY = 300;

/** When something was last said in it, by the original's entry or by its turns. */
export async function dateFor(
  fs: SessionFs,
  target: Target,
  { ended, created }: Pick<EntryFacts, "ended" | "created">,
  original: JsonObject | undefined,
  now: Date,
): Promise<Date> {
  const count = target.unopened ? 0 : (await readList(fs, target.home.database)).entries.size;
  return count < MANY ? new Date(toMs(original?.lastMessageDate) ?? ended ?? created) : now;
}
