/** The plan of a change to one session: how it is found, drawn by its source and measured. */

import { createScale, createSurvey, type Scale } from "../../edit/apply/verify.ts";
import { createMeasured, toPlan } from "../../edit/plan/plan.ts";
import { AppError } from "../../model/errors.ts";
import type { Draft, EditPlan } from "../../model/plan.ts";
import type { Problem } from "../../model/problem.ts";
import { newerThanKnown } from "../../model/session/newer.ts";
import type { Artifact } from "../../model/session/session.ts";
import { formatKey } from "../../model/values/id.ts";
import { createCountingFs } from "../../platform/fs/counting.ts";
import { reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { countContext } from "../../query/context.ts";
import { type Progress, readAnyHead } from "../../query/heads.ts";
import type { Found } from "../../query/resolve.ts";
import { estimateBeyond, loadTokenizer } from "../../query/tokens.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { Editor } from "../../sources/editor.ts";
import type { Survey } from "../../sources/source.ts";

/** What a source makes of the intention. */
export type Draw = (
  editor: Editor,
  fs: SessionFs,
  artifact: Artifact,
  /** What the model would receive if a draft were carried out. */
  tokensOf: (draft: Draft) => Promise<number>,
  survey: Survey,
) => Promise<Draft>;

/** Whether all tokens are counted, or those of a very long session estimated, because it stays as long. */
export type Counting = "exact" | "estimated";

export interface Planner {
  ofArtifact(
    kind: Kind,
    artifact: Artifact,
    progress: Progress | undefined,
    draw: Draw,
    counting?: Counting,
  ): Promise<EditPlan>;
  /** Of the session that people call so. */
  ofNamed(
    kind: Kind,
    name: string,
    progress: Progress | undefined,
    draw: Draw,
    counting?: Counting,
  ): Promise<EditPlan>;
}

/** How often a log is read until its plan is made: where things stand in it, as it is, and as it will be. */
const READINGS = {
  clone: 7,
  fork: 7,
  rewind: 6,
  compact: 9,
  checkpoint: 7,
  rename: 4,
  move: 5,
  delete: 2,
  rescue: 5,
  scrub: 6,
};
type Kind = keyof typeof READINGS;

/** `exact` counts what no model takes at once, too: for who must not leave more than a budget. */
export async function loadScale(exact = true): Promise<Scale> {
  const count = await loadTokenizer();
  return createScale(
    exact ? count : estimateBeyond(count),
    (messages, weigh) => countContext(messages, weigh).tokens,
  );
}

/** Why nothing can be planned for a session, as something a person can act on. */
export function refusal(error: unknown, artifact: Artifact): AppError {
  if (error instanceof AppError) return error;
  const isOutside = error instanceof Error && "code" in error;
  return new AppError(
    "unreadable",
    isOutside
      ? `${formatKey(artifact)} cannot be read: ${reasonOf(error)}`
      : `Rethread failed on ${formatKey(artifact)} (${reasonOf(error)}); nothing was changed`,
    isOutside
      ? { say: "See what is wrong with it", remedy: { action: "doctor", args: { source: artifact.source } } }
      : "This is a defect in rethread. Please report it with the output of RETHREAD_DEBUG=1",
    error,
  );
}

/** What lies beside the conversation is looked at by those who change it. */
export function refuseNewer({ id, path }: Artifact, problems: readonly Problem[]): void {
  const newer = problems.find((problem) => problem.code === "format-newer" && problem.path === path);
  if (newer) throw newerThanKnown(`Session ${id}`, newer.message);
}

export function createPlanner(catalog: Catalog, find: (name: string) => Promise<Found>): Planner {
  const ofArtifact: Planner["ofArtifact"] = async (kind, artifact, progress, draw, counting) => {
    try {
      return await plan(kind, artifact, progress, draw, counting);
    } catch (error) {
      throw refusal(error, artifact);
    }
  };
  const plan: Planner["ofArtifact"] = async (
    kind,
    artifact,
    progress = () => undefined,
    draw,
    counting = "exact",
  ) => {
    const editing = await catalog.editing(artifact);
    const { size } = artifact.fingerprint;
    const total = size * READINGS[kind];
    const fs = createCountingFs(catalog.fs, (bytes) => progress(Math.min(bytes, total), total));
    const { session, problems } = await readAnyHead(catalog, artifact);
    refuseNewer(artifact, problems);
    const scale = await loadScale(counting === "exact");
    const measured = createMeasured(editing, fs, scale);
    const survey = createSurvey(scale);
    const tokensOf = async (each: Draft): Promise<number> => (await measured.of(each)).tokens;
    const draft = await draw(editing.editor, fs, artifact, tokensOf, survey);
    const plan = await toPlan(editing, fs, artifact, draft, {
      kind,
      title: session.title,
      scale,
      measured,
      original: survey.measured(),
      isContinuable:
        kind !== "delete" &&
        session.resume !== undefined &&
        catalog.launch({ ...artifact, ...draft.session }, session) !== undefined,
    });
    const isCopy = (kind === "clone" || kind === "fork") && session.workspace !== undefined;
    return isCopy ? { ...plan, workspace: session.workspace } : plan;
  };
  return {
    ofArtifact,
    ofNamed: async (kind, name, progress, draw, counting) =>
      ofArtifact(kind, (await find(name)).artifact, progress, draw, counting),
  };
}
