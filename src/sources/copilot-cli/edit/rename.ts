/** A new name: in workspace.yaml, as the program itself keeps it. */
import { type Draft, type Planned, sizeOfPieces } from "../../../model/plan.ts";
import type { Artifact } from "../../../model/session.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import { SOURCE, under } from "../locate.ts";
import { WORKSPACE_FILE } from "../workspace.ts";
import { openFolder, PRIVATE, type SessionFolder } from "./folder.ts";
import { readMetadata } from "./identity.ts";
import { changeFields } from "./workspace-text.ts";

export async function rename(
  fs: SessionFs,
  artifact: Artifact,
  { name, now }: { readonly name: string; readonly now: Date },
): Promise<Draft> {
  const folder = openFolder(artifact);
  const { text } = await readMetadata(fs, artifact, folder);
  const renamed = changeFields(text, { name, user_named: true, updated_at: now.toISOString() });
  return {
    session: { source: SOURCE, id: artifact.id, path: artifact.path },
    ...replaceText(folder, WORKSPACE_FILE, renamed, now),
    name,
    losses: [],
  };
}

/** A small file with another text. */
export function replaceText(
  folder: SessionFolder,
  name: string,
  text: string,
  now: Date,
): Pick<Draft, "basis" | "steps"> {
  const path = under(folder.path, name);
  const before = folder.entries.find((entry) => entry.path === path);
  const pieces = [{ text }];
  const mode = before?.kind === "file" ? before.mode : PRIVATE.file;
  const size = sizeOfPieces(pieces);
  const planned: Planned = { kind: "file", path, mode, mtimeMs: now.getTime(), size, pieces };
  return {
    basis: before ? [{ entry: before }] : [],
    steps: [{ does: before ? "replace" : "place", path, entries: [planned] }],
  };
}
