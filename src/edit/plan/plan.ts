/** Makes a plan from a source's draft, and reads the planned result to measure it. */
import { AppError } from "../../model/errors.ts";
import type { Draft, EditPlan, OperationKind } from "../../model/plan.ts";
import { toStats } from "../../model/plan-facts.ts";
import type { Artifact } from "../../model/session/session.ts";
import { realPath } from "../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { Editing } from "../../sources/catalog.ts";
import { artifactAt, type Measurement, measure, type Scale } from "../apply/verify.ts";
import { createPlannedFs } from "./planned-fs.ts";
import { atRealPlaces, withRealPath } from "./real-places.ts";

export interface PlanOptions {
  readonly kind: Exclude<OperationKind, "undo">;
  readonly title: string;
  readonly isContinuable?: boolean;
  readonly scale: Scale;
  /** Where drafts were measured before one was chosen. */
  readonly measured?: DraftMeasures;
  /** What the source told of the original while it drew the draft. */
  readonly original?: Measurement | undefined;
}

/** What a draft will come to, read through the disk as it will be; each draft is read once. */
export interface DraftMeasures {
  of(draft: Draft): Promise<Measurement>;
}

export function createMeasured(
  { source }: Pick<Editing, "source">,
  fs: SessionFs,
  scale: Scale,
): DraftMeasures {
  const known = new WeakMap<Draft, Promise<Measurement>>();
  const measureDraft: DraftMeasures["of"] = async (named) => {
    const draft = await toRealPlaces(fs, named);
    const planned = createPlannedFs(fs, draft.steps);
    const session = await artifactAt(planned, draft.session);
    return measure(source, planned, session, scale);
  };
  return {
    of(named) {
      const result = known.get(named) ?? measureDraft(named);
      known.set(named, result);
      return result;
    },
  };
}

const toRealPlaces = async (fs: SessionFs, named: Draft): Promise<Draft> =>
  atRealPlaces(fs, { ...named, session: await withRealPath(fs, named.session) });

export async function toPlan(
  { source, editor }: Editing,
  fs: SessionFs,
  artifact: Artifact,
  named: Draft,
  {
    kind,
    title,
    isContinuable,
    scale,
    measured = createMeasured({ source }, fs, scale),
    original: told,
  }: PlanOptions,
): Promise<EditPlan> {
  const draft = await toRealPlaces(fs, named);
  const isNew = draft.session.id !== artifact.id;
  const { source: id, path } = artifact;
  const original = { source: id, id: artifact.id };
  const plan = {
    ...draft,
    kind,
    title,
    from: original,
    closed: isNew ? [] : [await withRealPath(fs, { ...original, path })],
    hideout: await realPath(fs, editor.stagingDir(artifact.root)),
    ...(isNew && { lineage: kind === "clone" ? ("clone" as const) : ("fork" as const) }),
    ...(isContinuable && { isContinuable }),
  };
  if (kind === "delete") {
    // A session that cannot be read can still be deleted.
    const gone = await measure(source, fs, artifact, scale).catch(() => undefined);
    return { ...plan, ...(gone && { stats: toStats(gone, { turns: 0, tokens: 0 }) }) };
  }
  const before =
    told ??
    (await measure(source, fs, artifact, scale).catch((error) => {
      // What says nothing any more may be made to.
      if (kind !== "rescue" && !draft.repairs?.length) throw error;
      return { turns: 0, tokens: 0 };
    }));
  if (draft.isWhole && "context" in before) {
    const { turns, context } = before;
    return { ...plan, expected: { turns, context }, stats: toStats(before, before) };
  }
  const { turns, context, tokens } = await measured.of(named);
  return { ...plan, expected: { turns, context }, stats: toStats(before, { turns, tokens }) };
}

/** A session that cannot be read can still be deleted. */
export function unlessUnreadable(error: unknown): undefined {
  if (!(error instanceof AppError && error.code === "unreadable")) throw error;
}
