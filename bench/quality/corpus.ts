/** Several hundred made-up sessions, each known by what it is about, so that right answers are known before anybody searches. */

import type { Story, StoryStep } from "../../src/model/session/story.ts";
import { uuidOf } from "../../src/model/values/stable-id.ts";
import { createRandom } from "../corpus/text.ts";
import { ACTIVITIES, type Activity, type Talk, talkAbout } from "./activities.ts";
import type { Component } from "./component.ts";
import { DATA } from "./components/data.ts";
import { DELIVERY } from "./components/delivery.ts";
import { SCREENS } from "./components/screens.ts";
import { SERVICES } from "./components/services.ts";
import { MULTILINGUAL } from "./multilingual.ts";
import { ODDS } from "./odds.ts";

export interface Entry {
  /** What it is about: "rate limiter/fix", "de-lager"; "…/review 2" is the later of two. */
  readonly key: string;
  readonly source: string;
  readonly story: Story;
}

export const NOW = new Date("2026-11-01T12:00:00Z");
const DAY = 86_400_000;
const SOURCES = ["copilot-cli", "claude-code", "vscode"];
/** Done again months later: what people mean is mostly the later one. */
const TWICE: readonly Activity[] = ["tests", "review", "explain"];

export function createCorpus(): Entry[] {
  const random = createRandom(7);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const entries: Entry[] = [];
  const add = (key: string, project: string, talk: Talk, daysAgo: number): void => {
    entries.push({
      key,
      source: SOURCES[entries.length % SOURCES.length] ?? "",
      story: toStory(key, project, talk, daysAgo),
    });
  };
  const addWork = (component: Component, activity: Activity): void => {
    const key = `${component.name}/${activity}`;
    const talk = () => talkAbout(component, activity, pick);
    if (TWICE.includes(activity)) {
      add(key, component.project, talk(), 150 + random() * 150);
      add(`${key} 2`, component.project, talk(), 3 + random() * 40);
    } else add(key, component.project, talk(), 20 + random() * 280);
  };
  for (const component of [...SERVICES, ...DATA, ...SCREENS, ...DELIVERY])
    for (const activity of ACTIVITIES) addWork(component, activity);
  for (const { key, project, title, file, turns } of MULTILINGUAL)
    add(
      key,
      project,
      { title, turns: turns.map(([user, answer]) => ({ user, steps: said(answer, file) })) },
      10 + random() * 200,
    );
  for (const [title, user, answer] of ODDS)
    add(
      title,
      pick(["storefront", "gateway", "billing", "mobile"]),
      { title, turns: [{ user, steps: said(answer) }] },
      1 + random() * 300,
    );
  return entries;
}

const said = (text: string, file?: string): StoryStep[] => [
  ...(file === undefined
    ? []
    : ([{ kind: "tool", tool: { does: "read", path: file }, ok: true, output: `1  ${file}` }] as const)),
  { kind: "say", text },
];

function toStory(key: string, project: string, talk: Talk, daysAgo: number): Story {
  const start = NOW.getTime() - daysAgo * DAY;
  const workspace = `/srv/${project}`;
  return {
    id: uuidOf(`quality ${key}`),
    title: talk.title,
    workspace,
    repository: `example/${project}`,
    branch: "main",
    createdAt: new Date(start).toISOString(),
    model: "gpt-5",
    turns: talk.turns.map(({ user, steps }, index) => ({
      at: new Date(start + index * 300_000).toISOString(),
      user,
      steps: steps.map((step) => inFolder(step, workspace)),
    })),
  };
}

/** Tools other than the shell name files by their absolute path. */
function inFolder(step: StoryStep, folder: string): StoryStep {
  if (step.kind !== "tool" || step.tool.does === "run") return step;
  return { ...step, tool: { ...step.tool, path: `${folder}/${step.tool.path}` } };
}
