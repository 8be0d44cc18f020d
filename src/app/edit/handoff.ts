/** The plan of a handoff: a session of one program, read as its model receives it, as a new session of another. */
import { randomUUID } from "node:crypto";
import { artifactAt, measure, type Scale } from "../../edit/apply/verify.ts";
import { toImportPlan } from "../../edit/plan/import.ts";
import { createPlannedFs } from "../../edit/plan/planned-fs.ts";
import { AppError } from "../../model/errors.ts";
import type { ToolVocabulary } from "../../model/handoff/act.ts";
import type { Conversation } from "../../model/handoff/conversation.ts";
import { translate } from "../../model/handoff/translate.ts";
import type { Basis, Draft, EditPlan } from "../../model/plan.ts";
import type { Ledger } from "../../model/reduce/reduction.ts";
import { remedyOf } from "../../model/remedy.ts";
import type { Artifact, SourceId } from "../../model/session/session.ts";
import { formatKey } from "../../model/values/id.ts";
import { lookThrough } from "../../platform/fs/fs-links.ts";
import { programNames, readConversation } from "../../query/handoff.ts";
import { readAnyHead } from "../../query/heads.ts";
import type { Found } from "../../query/resolve.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { Handoff } from "../../sources/handoff.ts";
import { toName, toWorkspace } from "./names.ts";
import { refusal } from "./plan-session.ts";

export interface HandoffOf {
  /** The source that takes it. */
  readonly to: SourceId;
  /** The folder that it is about there; that of the original, unless it is said. */
  readonly workspace?: string;
  readonly name?: string;
  /** The last turn that is handed over. */
  readonly at?: number;
  /** In tokens. */
  readonly budget?: number;
}

/** A smaller copy of a session that exists only while it is read. */
export type PlanUnlisted = (
  catalog: Catalog,
  artifact: Artifact,
  request: { readonly at?: number; readonly budget?: number },
) => Promise<EditPlan>;

export interface HandoffParts {
  readonly catalog: Catalog;
  readonly now: Date;
  /** Where relative paths start. */
  readonly folder: string;
  find(name: string): Promise<Found>;
  loadScale(): Promise<Scale>;
  readonly planSmaller: PlanUnlisted;
}

export async function planHandoff(name: string, request: HandoffOf, parts: HandoffParts): Promise<EditPlan> {
  const { catalog } = parts;
  const target = await findTarget(catalog, request.to);
  const { artifact } = await parts.find(name);
  if (artifact.source === request.to) throw isItsOwn(catalog, artifact);
  try {
    return await plan(artifact, request, target, parts);
  } catch (error) {
    throw refusal(error, artifact);
  }
}

async function plan(
  artifact: Artifact,
  request: HandoffOf,
  target: Handoff,
  parts: HandoffParts,
): Promise<EditPlan> {
  const { catalog, now } = parts;
  const { fs } = catalog;
  const source = catalog.source(request.to);
  const scale = await parts.loadScale();
  const [before, small] = [
    await measure(catalog.source(artifact.source), await fsOf(catalog, artifact), artifact, scale),
    await shrink(artifact, request, parts),
  ];
  const names = programNames(catalog);
  const read = cutAt(await readConversation(small.catalog, small.artifact, names), small.at, artifact);
  const { session } = await readAnyHead(catalog, artifact);
  // A smaller copy has a name and an id of its own, which nobody will ever see.
  const conversation = { ...read, session };
  refuseEmpty(conversation, artifact);
  const root = await chooseRoot(catalog, target, request);
  const workspace = await toFolder(catalog, target, root, request, session.workspace, parts.folder);
  const toolsOf = await vocabularies(catalog);
  const title = request.name === undefined ? session.title : toName(request.name);
  const relocation =
    workspace === undefined || workspace === session.workspace || session.workspace === undefined
      ? undefined
      : { from: session.workspace, to: workspace };
  const draw = async (given: Conversation): Promise<Draft> => {
    const { conversation: told, fidelity } = translate(given, {
      to: { source: request.to, tools: target.tools, carries: target.carries },
      toolsOf: (each) => toolsOf.get(each),
      names,
      workspace: session.workspace,
      relocation,
    });
    const id = randomUUID();
    const drawn = await target.draw(fs, told, {
      root,
      id,
      now,
      name: title,
      workspace,
      note: noteOf(given, artifact, names.labelOf(artifact.source)),
    });
    const elsewhere = relocation
      ? [
          `Calls name files in ${relocation.to} now; commands, results and texts still name ${relocation.from}`,
        ]
      : [];
    return { ...drawn, fidelity: { ...fidelity, reasons: [...fidelity.reasons, ...elsewhere] } };
  };
  const tokensOf = async (draft: Draft): Promise<number> => {
    const planned = createPlannedFs(fs, draft.steps);
    return (await measure(source, planned, await artifactAt(planned, draft.session), scale)).tokens;
  };
  const { draft, dropped } = await drawWithin(conversation, request, draw, tokensOf, artifact);
  const losses = [
    ...lossesOf(conversation),
    ...budgetLoss(small.ledger),
    ...(dropped > 0
      ? [`its ${dropped === 1 ? "oldest turn" : `${dropped} oldest turns`}, to fit the budget`]
      : []),
  ];
  const made = await toImportPlan(
    { source, editor: target },
    fs,
    {
      ...draft,
      basis: [...draft.basis, ...(await basisOf(catalog, artifact))],
      losses: [...draft.losses, ...losses],
    },
    {
      from: { source: artifact.source, id: artifact.id },
      root,
      title: session.title,
      scale,
      handoff: before,
    },
  );
  return {
    ...made,
    program: names.labelOf(request.to),
    ...(title !== session.title && { name: title }),
    workspace,
  };
}

const fsOf = async (catalog: Catalog, artifact: Artifact) => (await catalog.packing(artifact)).fs;

/** What was handed over must still be there when it is written; a log may have grown. */
async function basisOf({ fs }: Catalog, { path, vanishedAt }: Artifact): Promise<Basis[]> {
  const entry = vanishedAt === undefined ? await lookThrough(fs, path) : undefined;
  return entry ? [{ entry, mayGrow: true }] : [];
}

/** As far as the editor of its source can: it knows what the model received at an earlier turn. */
async function shrink(
  artifact: Artifact,
  { at, budget }: HandoffOf,
  { catalog, planSmaller }: HandoffParts,
): Promise<{ catalog: Catalog; artifact: Artifact; at?: number; ledger?: Ledger }> {
  let now: { catalog: Catalog; artifact: Artifact; ledger?: Ledger } = { catalog, artifact };
  const wishes = [...(at === undefined ? [] : [{ at }]), ...(budget === undefined ? [] : [{ budget }])];
  if (wishes.length > 0 && (!catalog.source(artifact.source).editor || artifact.vanishedAt !== undefined))
    return { ...now, ...(at !== undefined && { at }) };
  for (const wish of wishes) {
    const { steps, session, ledger, alreadyFits } = await planLeast(planSmaller, now, wish);
    if (alreadyFits) continue;
    const planned = createPlannedFs(now.catalog.fs, steps);
    const copy = { ...(await artifactAt(planned, session)), root: artifact.root };
    now = { catalog: now.catalog.on(planned), artifact: copy, ...(ledger && { ledger }) };
  }
  return now;
}

/** The smallest copy where none fits the budget: what a handoff of that needs is known once it is drawn. */
async function planLeast(
  planSmaller: PlanUnlisted,
  { catalog, artifact }: { readonly catalog: Catalog; readonly artifact: Artifact },
  wish: Parameters<PlanUnlisted>[2],
): Promise<EditPlan> {
  try {
    return await planSmaller(catalog, artifact, wish);
  } catch (error) {
    const remedy = error instanceof AppError ? remedyOf(error.advice) : undefined;
    const least = remedy?.action === "clone" ? remedy.args?.budget : undefined;
    if (wish.budget === undefined || typeof least !== "number") throw error;
    return planSmaller(catalog, artifact, { budget: least });
  }
}

/** Where no editor could cut the session itself. */
function cutAt(conversation: Conversation, at: number | undefined, artifact: Artifact): Conversation {
  if (at === undefined) return conversation;
  const turns = conversation.turns.filter(({ index = -1 }) => index <= at);
  if (at < conversation.session.turns && turns.some(({ index }) => index === at))
    return { ...conversation, turns };
  throw new AppError(
    "turn-not-found",
    at < conversation.session.turns
      ? `The model no longer receives turn ${at} of this session, so it cannot be handed over up to there`
      : `This session has no turn ${at}; its last one is ${conversation.session.turns - 1}`,
    { say: "See its turns", remedy: { action: "show", session: formatKey(artifact) } },
  );
}

/** Leaves out the oldest turns until the rest fits; an editor that reduced the session left little to do. */
async function drawWithin(
  conversation: Conversation,
  request: HandoffOf,
  draw: (given: Conversation) => Promise<Draft>,
  tokensOf: (draft: Draft) => Promise<number>,
  artifact: Artifact,
): Promise<{ draft: Draft; dropped: number }> {
  const { budget } = request;
  const draft = await draw(conversation);
  if (budget === undefined || (await tokensOf(draft)) <= budget) return { draft, dropped: 0 };
  const { turns } = conversation;
  let [low, high] = [1, turns.length];
  let best: { draft: Draft; dropped: number } | undefined;
  while (low < high) {
    const dropped = (low + high) >> 1;
    const smaller = await draw({ ...conversation, turns: turns.slice(dropped) });
    if ((await tokensOf(smaller)) <= budget) {
      best = { draft: smaller, dropped };
      high = dropped;
    } else low = dropped + 1;
  }
  if (best) return best;
  const least = await tokensOf(await draw({ ...conversation, turns: turns.slice(-1) }));
  const { to, workspace, name, at } = request;
  const asked = {
    to,
    ...(workspace !== undefined && { workspace }),
    ...(name !== undefined && { name }),
    ...(at !== undefined && { at }),
  };
  throw new AppError("usage", `A handoff of this session needs at least ${least} tokens`, {
    say: "Allow this budget",
    remedy: { action: "handoff", session: formatKey(artifact), args: { ...asked, budget: least } },
  });
}

const LEDGER_WORDS = {
  turns: ["turn", "turns"],
  toolCalls: ["tool call", "tool calls"],
  texts: ["text", "texts"],
  thoughts: ["thought", "thoughts"],
} as const satisfies Record<keyof Ledger, readonly [string, string]>;

/** What an editor left out, counted over all of the log. */
function budgetLoss(ledger: Ledger | undefined): string[] {
  const words = (Object.keys(LEDGER_WORDS) as (keyof Ledger)[]).flatMap((what) => {
    const gone = ledger?.[what].dropped ?? 0;
    const cut = ledger?.[what].cut ?? 0;
    const [one, many] = LEDGER_WORDS[what];
    return [
      ...(gone > 0 ? [`${gone} ${gone === 1 ? one : many}`] : []),
      ...(cut > 0 ? [`parts of ${cut} ${cut === 1 ? one : many}`] : []),
    ];
  });
  return words.length === 0 ? [] : [`${words.join(", ")}, to fit the budget`];
}

async function findTarget(catalog: Catalog, to: SourceId): Promise<Handoff> {
  const known = catalog.sources.some(({ source }) => source === to);
  const target = known ? await catalog.handoff(to) : undefined;
  if (target) return target;
  const able = catalog.sources.filter(({ source }) => catalog.source(source).handoff);
  throw new AppError(
    "usage",
    `Sessions cannot be handed over to ${JSON.stringify(to)}`,
    `Choose ${able.map(({ source }) => source).join(", ")}; for any other agent, add --as-brief`,
  );
}

const isItsOwn = (catalog: Catalog, artifact: Artifact): AppError =>
  new AppError("usage", `This is a session of ${catalog.source(artifact.source).label} already`, {
    say: "Copy it",
    remedy: { action: "clone", session: formatKey(artifact) },
  });

function refuseEmpty({ turns, summary }: Conversation, artifact: Artifact): void {
  if (turns.length > 0 || summary) return;
  throw new AppError(
    "unreadable",
    `The model would receive nothing from session ${artifact.id}, so there is nothing to hand over`,
    { say: "Read the session", remedy: { action: "show", session: formatKey(artifact) } },
  );
}

async function chooseRoot(catalog: Catalog, target: Handoff, { to, workspace }: HandoffOf): Promise<string> {
  const { roots = [], label = to } = catalog.sources.find(({ source }) => source === to) ?? {};
  const root = (await target.chooseRoot?.(catalog.fs, roots, workspace)) ?? roots[0];
  if (root !== undefined) return root;
  throw new AppError("not-supported", `${label} has no place for sessions on this machine`, "Start it once");
}

/** The folder that people named, or the session's own, which may be on another machine. */
async function toFolder(
  catalog: Catalog,
  target: Handoff,
  root: string,
  { workspace }: HandoffOf,
  own: string | undefined,
  folder: string,
): Promise<string> {
  if (workspace !== undefined) return toWorkspace(catalog.fs, target, { root, path: "" }, workspace, folder);
  if (own !== undefined && (await catalog.fs.exists(own))) return own;
  throw new AppError(
    "usage",
    own === undefined
      ? "The session does not record its folder"
      : `The folder of the session, ${own}, does not exist here`,
    "Name the folder to continue in: --workspace <folder>",
  );
}

async function vocabularies(catalog: Catalog): Promise<ReadonlyMap<SourceId, ToolVocabulary>> {
  const found = new Map<SourceId, ToolVocabulary>();
  for (const { source } of catalog.sources) {
    const handoff = await catalog.handoff(source);
    if (handoff) found.set(source, handoff.tools);
  }
  return found;
}

/** For people who read the session, and for those who look for its original. */
function noteOf({ session, turns }: Conversation, artifact: Artifact, label: string): string {
  const count = turns.filter(({ prompt }) => prompt).length;
  const models = session.models.length > 0 ? `, model ${session.models.join(", ")}` : "";
  return `Handed over from ${label}: ${JSON.stringify(session.title)} (${formatKey(artifact)}), ${count} turn${count === 1 ? "" : "s"}${models}.`;
}

function lossesOf({ left, summary }: Conversation): string[] {
  const turns = left.earlierTurns === 1 ? "1 turn" : `${left.earlierTurns} turns`;
  return [
    ...(left.earlierTurns > 0
      ? [
          summary
            ? `${turns} before the last compaction: its summary is handed over in their place`
            : `${turns} that the model no longer receives`,
        ]
      : []),
    ...(left.agentCalls > 0
      ? [
          `the work of sub-agents (${left.agentCalls} ${left.agentCalls === 1 ? "call" : "calls"}): what came of it is handed over`,
        ]
      : []),
  ];
}
