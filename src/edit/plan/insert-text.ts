/** Plans insertions into text files that belong to no session; what is there keeps its bytes. */
import { dirname } from "node:path";
import { type Basis, type EditPlan, noSession, type Planned, type Step } from "../../model/plan.ts";
import { entryAt, lookThrough, realPath } from "../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { atRealPlaces } from "./real-places.ts";

export interface TextInsertion {
  readonly path: string;
  /** In bytes; 0 for a file that is not there yet. */
  readonly at: number;
  readonly text: string;
}

export interface InsertionPlan extends Pick<EditPlan, "kind" | "title"> {
  readonly now: Date;
  /** Where what is written is built when our own folder is on another disk. */
  readonly hideout: string;
}

export async function planInsertions(
  fs: SessionFs,
  insertions: readonly TextInsertion[],
  { kind, title, now, hideout }: InsertionPlan,
): Promise<EditPlan> {
  const basis: Basis[] = [];
  const steps: Step[] = [];
  for (const insertion of insertions) {
    const entry = await lookThrough(fs, insertion.path);
    if (entry) basis.push({ entry });
    steps.push(entry?.kind === "file" ? replaced(entry, insertion, now) : await placed(fs, insertion, now));
  }
  const session = noSession(insertions[0]?.path ?? "");
  return {
    kind,
    title,
    session,
    from: { source: session.source, id: session.id },
    closed: [],
    hideout: await realPath(fs, hideout),
    losses: [],
    ...(await atRealPlaces(fs, { basis, steps })),
  };
}

function replaced(
  entry: Extract<Planned, { kind: "file" }>,
  { path, at, text }: TextInsertion,
  now: Date,
): Step {
  const { mode, size } = entry;
  const pieces = [{ file: path, start: 0, end: at }, { text }, { file: path, start: at, end: size }];
  const written: Planned = {
    kind: "file",
    path,
    mode,
    mtimeMs: now.getTime(),
    size: size + Buffer.byteLength(text),
    pieces: pieces.filter((piece) => "text" in piece || piece.end > piece.start),
  };
  return { does: "replace", path, entries: [written] };
}

/** With the folders that it needs: one rename puts all of them there. */
async function placed(fs: SessionFs, { path, text }: TextInsertion, now: Date): Promise<Step> {
  const mtimeMs = now.getTime();
  const size = Buffer.byteLength(text);
  const file: Planned = { kind: "file", path, mode: 0o644, mtimeMs, size, pieces: [{ text }] };
  const folders: Planned[] = [];
  for (let at = dirname(path); !(await entryAt(fs, at)) && at !== dirname(at); at = dirname(at))
    folders.unshift({ kind: "folder", path: at, mode: 0o755, mtimeMs });
  return { does: "place", path: folders[0]?.path ?? path, entries: [...folders, file] };
}
