/** Renames a session in workspace.yaml, as the program itself does. */
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { SOURCE } from "../../workspace/locate.ts";
import { WORKSPACE_FILE } from "../../workspace/workspace.ts";
import { openFolder } from "../copy/folder.ts";
import { readMetadata } from "../copy/identity.ts";
import { changeFields } from "../copy/workspace-text.ts";
import { replaceText } from "./replace.ts";

export async function rename(
  fs: SessionFs,
  artifact: Artifact,
  { name, now }: { readonly name: string; readonly now: Date },
): Promise<Draft> {
  const folder = await openFolder(fs, artifact);
  const { text } = await readMetadata(fs, artifact, folder);
  const renamed = changeFields(text, { name, user_named: true, updated_at: now.toISOString() });
  return {
    session: { source: SOURCE, id: artifact.id, path: artifact.path },
    ...replaceText(folder, WORKSPACE_FILE, renamed, now),
    name,
    losses: [],
  };
}
