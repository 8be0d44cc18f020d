/** Turns a telling into a story: absolute paths, dates before now, and an id made from its name. Pure. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Story, StoryImage, StoryStep, StoryTurn } from "../model/session/story.ts";
import { memberOf } from "../model/values/member.ts";
import { uuidOf } from "../model/values/stable-id.ts";
import type { ScriptTurn } from "./script.ts";
import type { Chapter, Telling } from "./telling.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const UNITS: Record<string, number> = { m: MINUTE, h: 60 * MINUTE, d: DAY };

export interface ToldStory {
  readonly telling: Telling;
  readonly story: Story;
}

/** All stories, the folders they are about lying below `work`. */
export function tell(chapters: readonly Chapter[], work: string, now: Date): ToldStory[] {
  const told = new Map<string, Story>();
  const stories: ToldStory[] = [];
  for (const chapter of chapters)
    for (const telling of chapter.tellings) {
      const story = toStory(chapter, telling, { work, now, told });
      told.set(telling.name, story);
      stories.push({ telling, story });
    }
  return stories;
}

interface Setting {
  readonly work: string;
  readonly now: Date;
  /** The stories told so far, by name; a fork comes after the session it was made from. */
  readonly told: ReadonlyMap<string, Story>;
}

function toStory(chapter: Chapter, telling: Telling, { work, now, told }: Setting): Story {
  const workspace = join(work, chapter.folder);
  const start = toTime(telling.when, now);
  const parent = telling.forkOf && told.get(telling.forkOf.name);
  if (telling.forkOf && !parent) throw new Error(`${telling.name} is a fork of a story not told before it`);
  const copied = parent?.turns.slice(0, telling.forkOf?.keep) ?? [];
  return {
    id: toId(telling.name),
    title: telling.title,
    workspace,
    repository: chapter.repository,
    createdAt: start.toISOString(),
    model: telling.model,
    turns: [...copied, ...toTurns(telling, start, workspace)],
    ...(telling.branch !== undefined && { branch: telling.branch }),
    ...(telling.files && { files: inWorkspace(telling.files, workspace) }),
    ...(parent && { forkOf: { id: parent.id, title: parent.title, keep: copied.length } }),
  };
}

const inWorkspace = (files: Readonly<Record<string, string>>, workspace: string): Record<string, string> =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [join(workspace, path), text]));

function toTurns(telling: Telling, start: Date, workspace: string): StoryTurn[] {
  let at = start.getTime();
  return telling.turns.map((turn, index) => {
    if (index > 0) at += restBefore(turn, `${telling.name} ${index}`);
    return {
      at: new Date(at).toISOString(),
      user: turn.user,
      ...(turn.images && { images: turn.images.map((image) => imageIn(image, workspace)) }),
      steps: turn.steps.map((step) => inFolder(step, workspace)),
      ...(turn.compaction && { compaction: turn.compaction }),
    };
  });
}

/** Two to eight minutes unless the telling says otherwise; uneven, as people are, and the same every time. */
const restBefore = (turn: ScriptTurn, seed: string): number =>
  turn.after !== undefined ? toSpan(turn.after) : 2 * MINUTE + ((digest(seed)[0] ?? 0) / 255) * 6 * MINUTE;

/** Commands are given as they are typed; every other tool names a file by its absolute path. */
function inFolder(step: StoryStep, folder: string): StoryStep {
  if (step.kind !== "tool" || step.tool.does === "run") return step;
  const { image } = step;
  return {
    ...step,
    tool: { ...step.tool, path: join(folder, step.tool.path) },
    ...(image && { image: imageIn(image, folder) }),
  };
}

const imageIn = (image: StoryImage, folder: string): StoryImage => ({
  ...image,
  path: join(folder, image.path),
});

export const toId = (name: string): string => uuidOf(`demo ${name}`);

export function toTime(when: string, now: Date): Date {
  const [ago, clock] = when.split(" ");
  const then = now.getTime() - toSpan(ago ?? "");
  if (clock === undefined) return new Date(then);
  return new Date(`${new Date(then).toISOString().slice(0, 10)}T${clock}:00.000Z`);
}

function toSpan(text: string): number {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(text) ?? [];
  const size = memberOf(UNITS, unit ?? "");
  if (size === undefined) throw new Error(`not a span of time: "${text}"`);
  return Number(count) * size;
}

const digest = (text: string): Buffer => createHash("sha256").update(`demo ${text}`).digest();
