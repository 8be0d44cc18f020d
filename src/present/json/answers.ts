/** The answers to questions as JSON, made of the shapes that they share. */
import type {
  Checkpoint,
  Checkpoints,
  ContextReport,
  Diagnosis,
  DiffStep,
  Fate,
  LensReport,
  LensShare,
  OneCheckpoint,
  Overview,
  Relative,
  SearchReport,
  SessionDiff,
  SessionList,
  WorkspaceList,
} from "../../app/contract.ts";
import { formatKey } from "../../model/values/id.ts";
import { commandText } from "../text/command-text.ts";
import {
  type Home,
  toFindingJson,
  toHitJson,
  toMessageJson,
  toProblemJson,
  toSessionJson,
  withCount,
} from "./shapes.ts";

export const toListJson = ({ sessions, total, next, facets }: SessionList, home: Home) => ({
  sessions: sessions.map((session) => toSessionJson(session, home)),
  total,
  next: next ?? null,
  ...(facets && { facets: { ...facets, problemCount: facets.problems } }),
});

export const toSearchJson = (
  { hits, partial, respelt, missing, optional, next, facets }: SearchReport,
  home: Home,
) => ({
  hits: hits.map((hit) => toHitJson(hit, home)),
  partial,
  respelt,
  missing,
  optional,
  next: next ?? null,
  ...(facets && { facets: { ...facets, problemCount: facets.problems } }),
});

export const toOverviewJson = ({ sources, suggestions, ...totals }: Overview, home: Home) => ({
  ...withCount(totals),
  sources: sources.map((each) => ({ ...withCount(each), lastActivity: each.lastActivity ?? null })),
  suggestions: suggestions.map((each) => ({
    command: commandText(each.command, home.demo !== undefined),
    why: each.why,
    session: each.session ? toSessionJson(each.session, home) : null,
    count: each.count ?? null,
  })),
});

export const toContextJson = (report: ContextReport, home: Home) => ({
  session: toSessionJson(report.session, home),
  messages: report.messages.map(toMessageJson),
  tokens: report.tokens,
  problems: report.problems.map(toProblemJson),
  byRole: report.byRole,
  shares: report.shares.map((share) => ({ ...share, tool: share.tool ?? null })),
});

export const toLensJson = (
  { session, tokens, limit, shares, passages, turns, budget, why }: LensReport,
  changedOnly = false,
) => {
  const isTold = ({ fate }: { readonly fate: Fate }): boolean => !changedOnly || fate !== "kept";
  return {
    session: formatKey(session),
    tokens,
    limit: limit ? { tokens: limit.tokens, model: limit.model ?? session.models.at(-1) ?? null } : null,
    shares: shares.map((share) => ({ ...share, tool: share.tool ?? null, ...toShareWords(share) })),
    passages: passages
      .filter(isTold)
      .map(({ id, turn, kind, tool, callId, label, tokens: cost, fate, tokensAfter }) => ({
        id,
        turn,
        kind,
        tool: tool ?? null,
        callId: callId ?? null,
        label,
        tokens: cost,
        fate,
        tokensAfter,
      })),
    turns: turns.filter(isTold),
    budget: budget ?? null,
    why: why ?? null,
  };
};

type Group = "you" | "agent" | "thinking" | "tool" | "program";

/** Who a share belongs to, and what it is called. */
function toShareWords({ kind, tool }: Pick<LensShare, "kind" | "tool">): { group: Group; label: string } {
  if (kind === "prompts") return { group: "you", label: "Your prompts" };
  if (kind === "answers") return { group: "agent", label: "Answers" };
  if (kind === "thinking") return { group: "thinking", label: "Thinking" };
  if (kind === "made-up") return { group: "program", label: "Added by the program" };
  return { group: "tool", label: kind === "tool-calls" ? `${tool} (calls)` : (tool ?? "") };
}

export const toDiagnosisJson = ({ problems, sessions, workspaces }: Diagnosis) => ({
  problems: problems.map(toFindingJson),
  sessions,
  sessionCount: sessions,
  workspaces: workspaces.map(withCount),
});

export const toWorkspacesJson = ({ workspaces }: WorkspaceList) => ({
  workspaces: workspaces.map(
    ({ id, folder, kind, source, editor, sessions, repository, lastUsedAt, exists }) => ({
      id: id ?? null,
      folder: folder ?? null,
      kind,
      source,
      editor: editor ?? null,
      sessions,
      sessionCount: sessions,
      repository: repository ?? null,
      lastUsedAt: lastUsedAt ?? null,
      exists: exists ?? null,
    }),
  ),
});

const toCheckpointJson = ({ number, title, at, turns, isSent, path, summary }: Checkpoint) => ({
  number,
  title,
  at: at ?? null,
  turns: turns ?? null,
  isSent,
  path: path ?? null,
  characters: summary.length,
});

export const toCheckpointsJson = ({ session, checkpoints }: Checkpoints, home: Home) => ({
  session: toSessionJson(session, home),
  checkpoints: checkpoints.map(toCheckpointJson),
});

export const toOneCheckpointJson = ({ session, checkpoint }: OneCheckpoint, home: Home) => ({
  session: toSessionJson(session, home),
  checkpoint: { ...toCheckpointJson(checkpoint), summary: checkpoint.summary },
});

export const toDiffJson = (diff: SessionDiff, home: Home) => ({
  a: { ...toSessionJson(diff.a.session, home), tokens: diff.a.tokens ?? null },
  b: { ...toSessionJson(diff.b.session, home), tokens: diff.b.tokens ?? null },
  same: diff.isSame,
  shared: diff.shared,
  preambleDiffers: diff.preambleDiffers,
  turns: diff.steps.map(toStepJson),
  files: diff.files,
  commands: diff.commands,
});

function toStepJson(step: DiffStep) {
  if (step.kind === "same")
    return { change: step.kind, a: step.a, b: step.b, count: step.count, user: null, differs: [] };
  const [a, b] = [step.kind === "only-b" ? undefined : step.a, step.kind === "only-a" ? undefined : step.b];
  return {
    change: step.kind,
    a: a?.index ?? null,
    b: b?.index ?? null,
    count: 1,
    user: (a ?? b)?.user ?? null,
    differs: step.kind === "changed" ? step.differs : [],
  };
}

export interface RelativeJson {
  readonly source: string;
  readonly id: string;
  readonly title: string;
  readonly kind: NonNullable<Relative["kind"]> | null;
  readonly isHere: boolean;
  readonly turns: number | null;
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
  readonly vanishedAt: string | null;
  readonly children: readonly RelativeJson[];
}

export const toRelativeJson = ({ key, title, kind, session, children }: Relative): RelativeJson => ({
  source: key.source,
  id: key.id,
  title,
  kind: kind ?? null,
  isHere: session !== undefined,
  turns: session?.turns ?? null,
  createdAt: session?.createdAt ?? null,
  updatedAt: session?.updatedAt ?? null,
  vanishedAt: session?.vanishedAt ?? null,
  children: children.map(toRelativeJson),
});
