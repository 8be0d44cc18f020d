/** Takes secrets out of a session of Copilot CLI; what it keeps for restoring files stays as it is. */
import type { Draft } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { ScrubRequest } from "../../../requests.ts";
import { replaceScrubbed } from "../../../scrubbed-files.ts";
import { SOURCE } from "../../workspace/locate.ts";
import { WORKSPACE_FILE } from "../../workspace/workspace.ts";
import { openFolder, textOf } from "../copy/folder.ts";
import { changeFields, readFields, type Scalars } from "../copy/workspace-text.ts";

/** Copies of the user's own files: a rewind would write a mark into them. */
const SNAPSHOTS = /^rewind-file-snapshots\//;

export async function scrub(fs: SessionFs, artifact: Artifact, request: ScrubRequest): Promise<Draft> {
  const folder = await openFolder(fs, artifact);
  const nameOf = (path: string): string => path.slice(folder.path.length + 1).replaceAll("\\", "/");
  const isSnapshot = ({ path }: { readonly path: string }): boolean => SNAPSHOTS.test(nameOf(path));
  const files = [];
  for (const file of request.files.filter((each) => !isSnapshot(each)))
    files.push(
      nameOf(file.path) === WORKSPACE_FILE
        ? {
            ...file,
            pieces: [{ text: scrubFields((await textOf(fs, folder, WORKSPACE_FILE)) ?? "", request.text) }],
          }
        : file,
    );
  return {
    session: { source: SOURCE, id: artifact.id, path: artifact.path },
    ...(await replaceScrubbed(fs, files)),
    losses: request.files.some(isSnapshot)
      ? ["copies of your own files that Copilot CLI keeps for a rewind; secrets stay in them"]
      : [],
  };
}

/** A mark in the text of a YAML file could change what the text means. */
function scrubFields(text: string, scrubbed: ScrubRequest["text"]): string {
  const fields = Object.entries(readFields(text)).flatMap(([name, value]): [string, string][] => {
    const after = typeof value === "string" ? scrubbed(value) : value;
    return typeof after === "string" && after !== value ? [[name, after]] : [];
  });
  return changeFields(text, Object.fromEntries(fields) as Scalars);
}
