/** What a move means to the sources whose sessions move: where they go, which of them can, and how their steps go together. */

import type { SplitPlacedFolder } from "../../edit/undo/undo.ts";
import { AppError } from "../../model/errors.ts";
import { type EditPlan, type PlannedSession, type Step, sessionsOf } from "../../model/plan.ts";
import type { Artifact, SourceId } from "../../model/session/session.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { Editor, ReadPlanned, StepRules } from "../../sources/editor.ts";
import type { MoveRequest } from "../../sources/requests.ts";

interface Wish {
  readonly to: string;
  /** The program whose sessions they become, where one source has several. */
  readonly editor?: string;
}

/** What people named that only the source understands: a workspace, or the home of another program. */
export async function toTarget(
  fs: SessionFs,
  editor: Editor,
  artifact: Artifact,
  { to, editor: name }: Wish,
  { catalog, folder }: { readonly catalog: Catalog; readonly folder: string },
): Promise<Pick<MoveRequest, "workspace" | "root">> {
  const roots = catalog.sources.find(({ source }) => source === artifact.source)?.roots ?? [];
  const root = name === undefined ? undefined : editor.moves?.findEditor?.(roots, name);
  if (name !== undefined && (root === undefined || !(await fs.exists(root)))) throw noEditor(name);
  const near = root === undefined ? artifact : { root, path: "" };
  const workspace = await editor.workspaces?.find(fs, near, to, folder);
  return { ...(workspace !== undefined && { workspace }), ...(root !== undefined && { root }) };
}

/** The sources of these sessions that can do so. A name that one of them knows as a workspace is no folder to the others. */
export async function takesIn(
  catalog: Catalog,
  artifacts: readonly Artifact[],
  { to, editor: name }: Wish,
  folder: string,
): Promise<ReadonlySet<SourceId>> {
  const able = new Set<SourceId>();
  const knowing = new Set<SourceId>();
  for (const [source, artifact] of new Map(artifacts.map((each) => [each.source, each]))) {
    const editor = await findEditing(catalog, artifact);
    if (!editor?.moves || (name !== undefined && !editor.moves.findEditor)) continue;
    able.add(source);
    if (await editor.workspaces?.find(catalog.fs, artifact, to, folder)) knowing.add(source);
  }
  return knowing.size > 0 ? knowing : able;
}

async function findEditing(catalog: Catalog, artifact: Artifact): Promise<Editor | undefined> {
  try {
    return (await catalog.editing(artifact)).editor;
  } catch (error) {
    if (error instanceof AppError && error.code === "not-supported") return undefined;
    throw error;
  }
}

/** Those whose sessions share files say how their steps go together. */
export async function joinerFor(
  catalog: Catalog,
  plans: readonly EditPlan[],
): Promise<(steps: readonly Step[]) => readonly Step[]> {
  const joiners: StepRules["join"][] = [];
  for (const source of new Set(plans.flatMap(sessionsOf).map((session) => session.source))) {
    const { editor } = await catalog.editing({ source });
    if (editor.steps) joiners.push(editor.steps.join);
  }
  return (steps) => joiners.reduce((joined, join) => join(joined), steps);
}

/** A folder is split by the source in whose home it lies. */
export async function splitterFor(
  catalog: Catalog,
  sessions: readonly Pick<PlannedSession, "source">[],
  bytesOf: ReadPlanned,
): Promise<SplitPlacedFolder> {
  const rules = new Map<string, StepRules>();
  for (const source of new Set(sessions.map((each) => each.source))) {
    const { steps } = (await catalog.source(source).editor?.()) ?? {};
    if (steps) rules.set(source, steps);
  }
  const homes = catalog.sources.flatMap(({ source, roots }) => roots.map((root) => ({ source, root })));
  return async (fs, step, now) => {
    const home = homes.find(
      ({ source, root }) => rules.has(source) && isAtOrBelow(step.as ?? step.path, root),
    );
    const rule = home ? rules.get(home.source) : [...rules.values()][0];
    return (await rule?.splitPlacedFolder(fs, step, now, bytesOf)) ?? [];
  };
}

const noEditor = (name: string): AppError =>
  new AppError(
    "usage",
    `No editor called ${name} was found here, or it has no chats`,
    "Name the path of its User folder",
  );
