/** Composes a story as a log that Codex CLI lists and resumes. */
import type { FileImage } from "../../../model/image.ts";
import type { Story, StoryStep, StoryTurn } from "../../../model/session/story.ts";
import { toolMs } from "../../../model/session/story-time.ts";
import { uuidOf } from "../../../model/values/stable-id.ts";
import {
  nameLine,
  type RolloutStep,
  type RolloutTurn,
  rolloutPath,
  rolloutRecords,
} from "../write/rollout.ts";
import { composeCall } from "./compose-call.ts";

/** What the model is sent besides the conversation. */
const PROMPT_TOKENS = 9_000;
/** Steps follow one another at this pace. */
const PACE_MS = 3000;

export const NAMES = "session_index.jsonl";

export function compose(story: Story): FileImage[] {
  const id = toUuid(story.id);
  const clock = createClock(story.createdAt);
  const turns: RolloutTurn[] = [];
  let size = PROMPT_TOKENS;
  for (const [index, turn] of story.turns.entries()) {
    const { forkOf } = story;
    const isCopied = forkOf !== undefined && index < (forkOf.keep ?? story.turns.length);
    const owner = `${isCopied ? forkOf.id : story.id}/${index}`;
    const at = clock.to(turn.at);
    const steps = [...stepsOf(turn, owner, clock)];
    const grown = size + toTokens(turn);
    steps.push({ kind: "spend", input: grown, cached: size, output: toTokens(turn.steps), at: clock.now() });
    size = grown;
    if (turn.compaction) {
      const { title, overview } = turn.compaction;
      steps.push({ kind: "compact", summary: `${title}\n\n${overview}`, at: clock.next(PACE_MS) });
      size = PROMPT_TOKENS + toTokens(overview);
    }
    const images = turn.images ? { images: turn.images } : {};
    turns.push({ at, user: turn.user, id: `msg_${toUuid(owner)}`, ...images, steps });
  }
  const head = {
    ...{ id, workspace: story.workspace, createdAt: story.createdAt, model: story.model },
    ...(story.branch !== undefined && { branch: story.branch }),
    ...(story.repository !== undefined && { repositoryUrl: `https://github.com/${story.repository}.git` }),
    ...(story.forkOf && { forkedFrom: toUuid(story.forkOf.id) }),
  };
  const mtime = clock.now();
  return [
    { path: rolloutPath(head), content: toText(rolloutRecords(head, turns)), mode: 0o600, mtime },
    { path: NAMES, content: toText([nameLine(id, story.title, mtime)]), mode: 0o600, mtime },
  ];
}

/** One list has the names of all sessions. */
export async function merge(images: readonly FileImage[]): Promise<FileImage[]> {
  const lists = images.filter(({ path }) => path === NAMES);
  const [last] = lists.toSorted((a, b) => ((a.mtime ?? "") < (b.mtime ?? "") ? 1 : -1));
  const logs = images.filter(({ path }) => path !== NAMES);
  return last ? [...logs, { ...last, content: lists.map(({ content }) => content).join("") }] : logs;
}

function stepsOf(turn: StoryTurn, owner: string, clock: Clock): RolloutStep[] {
  return turn.steps.map((step: StoryStep, index): RolloutStep => {
    const calledAt = clock.next(PACE_MS);
    if (step.kind !== "tool") return { kind: step.kind, text: step.text, at: calledAt };
    const id = `call_${toUuid(`${owner}/${index}`).replaceAll("-", "").slice(0, 24)}`;
    return { kind: "call", id, ...composeCall(step), calledAt, at: clock.next(toolMs(step.tool)) };
  });
}

interface Clock {
  now(): string;
  next(ms: number): string;
  to(time: string): string;
}

function createClock(start: string): Clock {
  let ms = Date.parse(start);
  const now = (): string => new Date(ms).toISOString();
  return {
    now,
    next(more) {
      ms += more;
      return now();
    },
    to(time) {
      ms = Math.max(ms, Date.parse(time));
      return now();
    },
  };
}

const toText = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join("");

/** About four characters make a token. */
const toTokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);

function toUuid(name: string): string {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(name) ? name : uuidOf(name);
}
