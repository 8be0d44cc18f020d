/** Sessions of all three agents with a hostile text in every field that a session can have. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SourceId } from "../../../src/model/session/session.ts";
import type { Story, StoryStep, StoryTurn } from "../../../src/model/session/story.ts";
import { toFileBytes } from "../../../src/platform/sqlite/key-value-db.ts";
import { SOURCES } from "../../../src/sources/registry.ts";
import { PAYLOADS, type Payload } from "./payloads.ts";
import type { Place } from "./served.ts";

/** A word in every text, so that a search finds all of it. */
export const NEEDLE = "needleword";

const MINUTE_MS = 60_000;
/** A name in a log may be long, but not endless. */
const short = (text: string): string => text.slice(0, 400);

function toTurn({ text }: Payload, at: Date, folder: string): StoryTurn {
  const path = join(folder, short(text).toWellFormed().replaceAll(/[\0/]/g, "_"));
  const steps: StoryStep[] = [
    { kind: "think", text },
    { kind: "tool", tool: { does: "run", command: text, why: short(text) }, ok: true, output: text },
    { kind: "tool", tool: { does: "search", pattern: text, path: folder }, ok: false, output: text },
    { kind: "tool", tool: { does: "create", path, text }, ok: true, output: text },
    { kind: "tool", tool: { does: "edit", path, before: text, after: `${text}!` }, ok: true, output: text },
    { kind: "say", text: `${NEEDLE} ${text}` },
  ];
  // A picture that is none, by a hostile name.
  const images = [{ path, type: "image/png", data: Buffer.from(text).toString("base64") }];
  return { at: at.toISOString(), user: `${NEEDLE} ${text}`, images, steps };
}

const idOf = (number: number): string => `5e551011-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** How many payloads are the turns of one session. */
const TURNS = 12;

function storiesOf(first: number, folder: string): Story[] {
  const groups = Array.from({ length: Math.ceil(PAYLOADS.length / TURNS) }, (_, at) =>
    PAYLOADS.slice(at * TURNS, at * TURNS + TURNS),
  );
  return groups.map((group, at): Story => {
    const began = Date.UTC(2026, 9, 1 + at, 9);
    const text = (number: number): string => short(group[number % group.length]?.text ?? "");
    return {
      id: idOf(first + at),
      title: text(0),
      workspace: folder,
      repository: text(1).replaceAll(/\s/g, "_"),
      branch: text(2).replaceAll(/\s/g, "_"),
      createdAt: new Date(began).toISOString(),
      model: text(3),
      turns: group.map((payload, turn) => ({
        ...toTurn(payload, new Date(began + (turn + 1) * MINUTE_MS), folder),
        ...(turn === 1 && { compaction: { title: text(turn), overview: payload.text } }),
      })),
    };
  });
}

const HOME_OF: Readonly<Record<SourceId, (vars: Place["vars"]) => string>> = {
  "copilot-cli": (vars) => vars.COPILOT_HOME ?? "",
  "claude-code": (vars) => vars.CLAUDE_CONFIG_DIR ?? "",
  vscode: (vars) => dirname(vars.VSCODE_STORAGE_PATH ?? ""),
};

/** Items of a context board, as an agent's own program may keep them: with anything in any of their texts. */
const NOTES = PAYLOADS.map(({ text: payload }, at) => {
  // SQL ends at a NUL, and a database holds no half of a character.
  const text = payload.replaceAll("\0", "").toWellFormed();
  return {
    repository: at % 2 === 0 ? "acme/shop" : `acme/${short(text)}`,
    branch: at % 3 === 0 ? short(text) : "main",
    source: at % 5 === 0 ? short(text) : "agent",
    name: `${at} ${short(text)}`,
    description: text,
    content: `${text}\n\n\`${text}\`\n\n\`\`\`html\n${text}\n\`\`\`\n\n[link](${text})`,
    readCount: at,
    useCount: 0,
  };
});

/** Gives back the keys of the sessions. */
export async function writeHostileHome({ vars }: Place, folder: string): Promise<string[]> {
  const keys: string[] = [];
  mkdirSync(folder, { recursive: true });
  for (const [at, source] of SOURCES.entries()) {
    const home = HOME_OF[source.id]?.(vars);
    if (!home || !source.demo) continue;
    const images = [];
    for (const story of storiesOf(at * 100, folder)) {
      images.push(...(await source.demo.compose(story)));
      keys.push(`${source.id}:${story.id}`);
    }
    for (const image of (await source.demo.merge?.(images, NOTES)) ?? images) {
      const path = join(home, image.path);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, toFileBytes(image.content));
    }
  }
  return keys;
}
