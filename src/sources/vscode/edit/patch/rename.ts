/** Renames a session in its file, which VS Code uses once it is opened, and in the list that it shows before. */
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { SOURCE } from "../../format/problems.ts";
import { titled } from "../copy/identity.ts";
import { inspectSession } from "../copy/inspect.ts";
import { homeOf } from "../copy/session-home.ts";
import { changeEntry, readList, toSet } from "../list/list.ts";
import { replaceSession } from "./replace.ts";

export async function rename(
  fs: SessionFs,
  artifact: Artifact,
  { name, now }: { readonly name: string; readonly now: Date },
): Promise<Draft> {
  const { id, path } = artifact;
  const list = await readList(fs, homeOf(artifact).database);
  const inspected = await inspectSession(fs, artifact);
  const file = await replaceSession(fs, artifact, inspected, {
    amendments: titled(inspected.head, name),
    now,
  });
  const cells = changeEntry(list, id, "title", name);
  return {
    session: { source: SOURCE, id, path },
    basis: file.basis,
    steps: [...file.steps, ...(cells.length > 0 ? [await toSet(fs, list, cells, now)] : [])],
    name,
    losses: [],
  };
}
