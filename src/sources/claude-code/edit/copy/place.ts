/** Where a copy of a session lies: its transcript, its own folder, and the kept states of files. */
import { basename, dirname, isAbsolute, join } from "node:path";
import { type Basis, type Piece, type Planned, type Step, sizeOfPieces } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { readTreeThrough, realPath } from "../../../../platform/fs/fs-links.ts";
import { eachLine, type Line } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { decodeLine } from "../../../log/jsonl.ts";
import { createPieces } from "../../../log/pieces.ts";
import { fileHistory, folderName, projectsFolder, sessionFolder } from "../../locate.ts";

export const PRIVATE = { folder: 0o700, file: 0o600 };

/** The transcript of a session in the folder of a workspace, or beside another one. */
export async function transcriptPath(
  fs: SessionFs,
  { root, path }: Pick<Artifact, "root" | "path">,
  id: string,
  workspace?: string,
): Promise<string> {
  const folder = workspace === undefined ? dirname(path) : await projectFolder(fs, root, workspace);
  return join(folder, `${id}.jsonl`);
}

/** The program resolves links before it names a folder after the workspace; of another machine they are not known. */
async function projectFolder(fs: SessionFs, root: string, workspace: string): Promise<string> {
  const real = isAbsolute(workspace) ? await realPath(fs, workspace) : workspace;
  return join(projectsFolder(root), folderName(real));
}

/** Written anew, or of the original alone. */
const LEFT_OUT = /^(custom-title\.json|resume-head\.jsonl)$/;
const AGENT_LOG = /^subagents[\\/].+\.jsonl$/;

export interface BesideOf {
  readonly id: string;
  readonly to: string;
  readonly now: Date;
  /** The call that made a file, where that is known by its name, goes. */
  isOfDroppedCall(name: string): boolean;
  /** Files with states of others that are called otherwise in the copy. */
  readonly stateNames?: ReadonlyMap<string, string>;
}

export interface BesideCopy {
  readonly basis: readonly Basis[];
  readonly steps: readonly Step[];
  /** Outputs of tools that lie in the copy's own folder, by the names of their files. */
  readonly outputs: ReadonlySet<string>;
}

/** What lies beside a transcript, copied beside another one. */
export async function copyBeside(
  fs: SessionFs,
  artifact: Artifact,
  { id, to, now, isOfDroppedCall, stateNames = new Map() }: BesideOf,
): Promise<BesideCopy> {
  const [own, states] = [sessionFolder(artifact.path), fileHistory(artifact.root, artifact.id)];
  const basis: Basis[] = [];
  const steps: Step[] = [];
  const outputs = new Set<string>();
  const copy = async (from: string, into: string, isWanted: (name: string) => boolean): Promise<void> => {
    const entries: Planned[] = [];
    for (const entry of await readTreeThrough(fs, from)) {
      const name = entry.path.slice(from.length + 1);
      const path = name === "" ? into : join(into, from === states ? (stateNames.get(name) ?? name) : name);
      if (entry.kind === "folder")
        entries.push({ kind: "folder", path, mode: PRIVATE.folder, mtimeMs: now.getTime() });
      if (entry.kind !== "file" || !isWanted(name)) continue;
      basis.push({ entry });
      const whole: Piece[] = entry.size === 0 ? [] : [{ file: entry.path, start: 0, end: entry.size }];
      const pieces = AGENT_LOG.test(name) ? await renamedLog(fs, entry.path, id) : whole;
      const mtimeMs = Math.floor(entry.mtimeMs);
      entries.push({ kind: "file", path, mode: PRIVATE.file, mtimeMs, size: sizeOfPieces(pieces), pieces });
      if (name.startsWith("tool-results")) outputs.add(basename(name));
    }
    if (entries.some(({ kind }) => kind === "file")) steps.push({ does: "place", path: into, entries });
  };
  await copy(own, sessionFolder(to), (name) => !LEFT_OUT.test(name) && !isOfDroppedCall(name));
  await copy(states, fileHistory(artifact.root, id), () => true);
  return { basis, steps, outputs };
}

/** The log of a sub-agent names the session that it belongs to in every row. */
async function renamedLog(fs: SessionFs, path: string, id: string): Promise<readonly Piece[]> {
  const { size } = await fs.stat(path);
  const pieces = createPieces(path);
  const visit = (line: Line): void => {
    if (line.cut > 0 || decodeLine(line).kind !== "record") pieces.keep(line.start, line.end);
    else pieces.set(line, {}, { sessionId: JSON.stringify(id) });
    if (line.ended) pieces.keep(line.end, line.end + 1);
  };
  await eachLine(fs, path, visit, { start: 0, end: size, maxLine: Number.POSITIVE_INFINITY });
  return pieces.all();
}
