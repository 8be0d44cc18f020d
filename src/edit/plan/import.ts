/** Plans the import of a session: reads the planned result, and overwrites only a session that it is a later state of. */

import { createHash } from "node:crypto";
import { isAbsolute } from "node:path";
import { AppError } from "../../model/errors.ts";
import type { Draft, EditPlan, Planned, PlannedSession } from "../../model/plan.ts";
import { toStats } from "../../model/plan-facts.ts";
import { formatKey, type SessionKey, shortId } from "../../model/values/id.ts";
import { hashOf } from "../../platform/fs/file-hash.ts";
import { lookThrough, realPath } from "../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { Editor } from "../../sources/editor.ts";
import type { Source } from "../../sources/source.ts";
import { contentOf } from "../apply/content.ts";
import { artifactAt, measure, type Scale } from "../apply/verify.ts";
import { placeOver } from "./in-place.ts";
import { unlessUnreadable } from "./plan.ts";
import { createPlannedFs } from "./planned-fs.ts";
import { atRealPlaces, withRealPath } from "./real-places.ts";

export interface ImportPlanOptions {
  readonly from: SessionKey;
  readonly root: string;
  /** The file that it comes from, which must not change meanwhile. */
  readonly file?: string;
  readonly title?: string;
  readonly scale: Scale;
  /** The session here that it is a later state of, with its files: it takes their place. */
  readonly over?: PlannedSession & { readonly files: readonly string[] };
  /** It was made of a session that is here, which had so much in it. */
  readonly handoff?: { readonly turns: number; readonly tokens: number };
}

/** Without steps where it is already, to the byte. */
export async function toImportPlan(
  { source, editor }: { readonly source: Source; readonly editor: Pick<Editor, "stagingDir"> },
  fs: SessionFs,
  named: Draft,
  { from, root, file, title, scale, over, handoff }: ImportPlanOptions,
): Promise<EditPlan> {
  const origin = file === undefined ? undefined : await lookThrough(fs, file);
  const placed = await atRealPlaces(fs, {
    ...named,
    session: await withRealPath(fs, named.session),
    basis: [...named.basis, ...(origin ? [{ entry: origin }] : [])],
  });
  const draft = over ? await overwriting(fs, placed, over.files) : placed;
  const planned = createPlannedFs(fs, draft.steps);
  const artifact = await artifactAt(planned, draft.session);
  const sink = { event: () => undefined, problem: () => undefined }; // what is damaged comes as it is
  const session = await source.read(planned, artifact, sink, { skim: true });
  const seen = await measure(source, planned, artifact, scale).catch(unlessUnreadable);
  const { name, ...rest } = draft;
  const called = title ?? session.title;
  return {
    ...rest,
    ...(name !== undefined && name !== called && { name }),
    ...(handoff ? { kind: "handoff", lineage: "handoff" } : { kind: "import" }),
    title: called,
    from,
    losses: [...rest.losses, ...(await missingFolder(fs, session.workspace, handoff && "--workspace"))],
    steps: !over && (await isHere(fs, draft)) ? [] : draft.steps,
    closed: over ? [await withRealPath(fs, { source: over.source, id: over.id, path: over.path })] : [],
    hideout: await realPath(fs, editor.stagingDir(root)),
    ...(seen && {
      expected: { turns: seen.turns, context: seen.context },
      stats: toStats(handoff ?? seen, seen),
    }),
    ...(session.resume !== undefined && { isContinuable: true as const }),
  };
}

async function overwriting(fs: SessionFs, draft: Draft, files: readonly string[]): Promise<Draft> {
  const former: string[] = [];
  for (const file of files) former.push(await realPath(fs, file));
  const { steps, basis } = await placeOver(fs, draft.steps, former, (entry) => isThereAlready(fs, [entry]));
  // Without files that differ, a program's list of sessions needs no change either.
  const isSame = steps.every(({ does }) => does === "set");
  return { ...draft, steps: isSame ? [] : steps, basis: [...draft.basis, ...basis] };
}

/** On another machine the folder often has another path; its program would then work wherever it is started. */
async function missingFolder(
  fs: SessionFs,
  workspace: string | undefined,
  option = "--to",
): Promise<string[]> {
  if (workspace === undefined || !isAbsolute(workspace) || (await fs.exists(workspace))) return [];
  return [`its folder ${workspace}, which is not on this machine (${option} sets another)`];
}

async function isHere(fs: SessionFs, { session, steps }: Draft): Promise<boolean> {
  const places = steps.filter(({ does }) => does === "place").map(({ path }) => path);
  if (!(await anyIsThere(fs, places))) return false;
  const entries = steps.flatMap((step) => ("entries" in step ? step.entries : []));
  if (await isThereAlready(fs, entries)) return true;
  throw new AppError(
    "session-exists",
    `Session ${session.id} is already here with different content, so nothing was written`,
    {
      say: "Import it as a new session with --new-id; you can then compare the two",
      remedy: {
        action: "diff",
        args: { a: formatKey({ ...session, id: shortId(session.id) }) },
        asks: { b: "new id" },
      },
    },
  );
}

async function anyIsThere(fs: SessionFs, paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (await fs.exists(path)) return true;
  return false;
}

/** What lies beside it (locks, a log of ours) does not matter. */
async function isThereAlready(fs: SessionFs, entries: readonly Planned[]): Promise<boolean> {
  for (const entry of entries) {
    if (entry.kind !== "file") continue;
    if (!(await fs.exists(entry.path)) || (await fs.stat(entry.path)).size !== entry.size) return false;
    if ((await hashOf(fs, entry.path)) !== (entry.sha256 ?? (await hashOfPlanned(fs, entry)))) return false;
  }
  return true;
}

async function hashOfPlanned(fs: SessionFs, { pieces = [] }: Planned): Promise<string> {
  const sum = createHash("sha256");
  for await (const chunk of contentOf(pieces, { fs })) sum.update(chunk);
  return sum.digest("hex");
}
