/** Drafts a copy of a session: the rows that stay under another id, with what lies beside them. */
import { dirname } from "node:path";
import { type Draft, type Step, sizeOfPieces } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { lookThrough } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { sessionFolder } from "../../locate.ts";
import { SOURCE } from "../../scan.ts";
import { fromDisk, type Transcript } from "../transcript.ts";
import { type CopyOf, copyRows } from "./copy-rows.ts";
import type { ForFolder } from "./for-folder.ts";
import { createOutputMover } from "./output-paths.ts";
import { copyBeside, PRIVATE, transcriptPath } from "./place.ts";
import { withProjectFolder } from "./project-folder.ts";

export interface SessionCopyOf extends CopyOf {
  readonly now: Date;
  /** Where it goes on, if that is another folder. */
  readonly workspace?: string;
  /** What its files are made of then. */
  readonly there?: ForFolder;
}

export type SessionCopy = Pick<Draft, "session" | "basis" | "steps" | "repairs">;

export async function copySession(
  fs: SessionFs,
  artifact: Artifact,
  transcript: Transcript,
  of: SessionCopyOf,
): Promise<SessionCopy> {
  const to = await transcriptPath(fs, artifact, of.id, of.workspace);
  const { basis, steps, outputs } = await copyBeside(fs, artifact, {
    ...{ id: of.id, to, now: of.now },
    isOfDroppedCall: createCallCheck(transcript, of),
    ...(of.there && { stateNames: of.there.stateNames }),
  });
  const toOwnOutputs = createOutputMover({
    ...{ from: sessionFolder(artifact.path), to: sessionFolder(to), names: outputs },
  });
  const rows = await copyRows(fs, artifact.path, transcript, {
    ...of,
    change: (row, line) => {
      const changes = of.change?.(row, line) ?? {};
      return { ...changes, ...toOwnOutputs(line, changes) };
    },
  });
  const pieces = fromDisk(rows, artifact, transcript);
  const { repairs, size = transcript.size } = transcript.rescued ?? {};
  const entry = await lookThrough(fs, artifact.path);
  const file = {
    ...{ kind: "file" as const, path: to, mode: PRIVATE.file, mtimeMs: of.now.getTime() },
    ...{ size: sizeOfPieces(pieces), pieces },
  };
  const own: Step = { does: "place", path: to, entries: [file] };
  return {
    session: { source: SOURCE, id: of.id, path: to },
    // The log may grow meanwhile; the part that was read does not change.
    basis: [
      ...(entry?.kind === "file"
        ? [{ entry: { ...entry, size: of.there?.size ?? size }, mayGrow: true }]
        : []),
      ...basis,
    ],
    // What the rows name is there before they are.
    steps: (await withProjectFolder(fs, [...steps, own], dirname(to), of.now)).map((step) =>
      fromFolder(step, of.there),
    ),
    ...(repairs && { repairs }),
  };
}

function fromFolder(step: Step, there: ForFolder | undefined): Step {
  if (!there || !("entries" in step)) return step;
  const entries = step.entries.map((entry) =>
    entry.pieces ? { ...entry, pieces: there.fromDisk(entry.pieces) } : entry,
  );
  return { ...step, entries };
}

/** Outputs of tools are mostly named after their calls. */
function createCallCheck({ table, rows }: Transcript, { keeps }: CopyOf): (name: string) => boolean {
  const calls = (wanted: (row: number) => boolean): Set<string> =>
    new Set(rows.filter(wanted).flatMap((row) => table.calls(row).map((call) => table.names.text(call))));
  const [kept, all] = [calls(keeps), calls(() => true)];
  return (name) => {
    const stem = /^tool-results[\\/](.+)\.txt$/.exec(name)?.[1];
    return stem !== undefined && all.has(stem) && !kept.has(stem);
  };
}
