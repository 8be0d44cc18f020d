/** Renames a session as `/rename` does: a line at the end of the transcript, and a file beside it. */
import { AppError } from "../../../../model/errors.ts";
import { type Draft, type Planned, type Step, sizeOfPieces } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { entryAt, lookThrough } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { appendLines } from "../../../log/append-lines.ts";
import { sessionFolder, titleFile } from "../../locate.ts";
import { SOURCE } from "../../scan.ts";
import { titleLine } from "../copy/notes.ts";
import { PRIVATE } from "../copy/place.ts";
import { refuseAgent } from "../transcript.ts";

export async function rename(
  fs: SessionFs,
  artifact: Artifact,
  { name, now }: { readonly name: string; readonly now: Date },
): Promise<Draft> {
  refuseAgent(artifact);
  const line = await appendLines(fs, artifact.path, titleLine(artifact.id, name), now);
  const beside = await titleBeside(fs, artifact.path, name, now);
  return {
    session: { source: SOURCE, id: artifact.id, path: artifact.path },
    basis: [...line.basis, ...beside.basis],
    steps: [...line.steps, ...beside.steps],
    name,
    losses: [],
  };
}

/** The program finds a title only near either end of a transcript, and in this file. */
async function titleBeside(
  fs: SessionFs,
  transcript: string,
  name: string,
  now: Date,
): Promise<Pick<Draft, "basis" | "steps">> {
  const path = titleFile(transcript);
  const before = await lookThrough(fs, path);
  const pieces = [{ text: JSON.stringify({ customTitle: name }) }];
  const at = { mtimeMs: now.getTime() };
  const mode = before?.kind === "file" ? before.mode : PRIVATE.file;
  const file: Planned = { kind: "file", path, mode, ...at, size: sizeOfPieces(pieces), pieces };
  if (before?.kind === "file")
    return { basis: [{ entry: before }], steps: [{ does: "replace", path, entries: [file] }] };
  // A folder, a pipe, or a link that leads nowhere: replacing it would take away what is not ours to judge.
  if (await entryAt(fs, path))
    throw new AppError(
      "not-supported",
      `${path} is no file, so the new name cannot be written into it`,
      "Move it away, then run the command again",
    );
  const folder = sessionFolder(transcript);
  const own: Planned = { kind: "folder", path: folder, mode: PRIVATE.folder, ...at };
  const step: Step = (await entryAt(fs, folder))
    ? { does: "place", path, entries: [file] }
    : { does: "place", path: folder, entries: [own, file] };
  return { basis: [], steps: [step] };
}
