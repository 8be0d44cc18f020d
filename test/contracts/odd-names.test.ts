/**
 * Every member of every fixture meets names that objects inherit (as its value, and as its own name) and values of
 * every other kind. Reading, indexing and the model's context take them as what they are: nothing throws.
 */
import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createExtractor } from "../../src/indexer/extract.ts";
import { AppError } from "../../src/model/errors.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { toTurns } from "../../src/model/session/turns.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import type { SessionFs } from "../../src/platform/fs/session-fs.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import type { Source } from "../../src/sources/source.ts";
import { NASTY_KEYS, NASTY_VALUES } from "../fuzz/nasty.ts";
import { isFull } from "../fuzz/runs.ts";
import { FIXTURES, readAll, scanHome } from "./fixtures.ts";

/** What becomes of a member: an odd name is its value, its key is odd, or its value is of another kind. */
const ODDITIES = ["name", "key", "value"] as const;
type Oddity = (typeof ODDITIES)[number];
const VALUES = NASTY_VALUES.filter(({ length }) => length < 200);
/** Of so many keys of a home one is taken; others of them in other homes. All of them when there is time. */
const EVERY = isFull ? 1 : 5;
const NOWHERE = () => undefined;
const SINK = {
  turn: NOWHERE,
  toolCall: NOWHERE,
  file: NOWHERE,
  ref: NOWHERE,
  checkpoint: NOWHERE,
  usage: NOWHERE,
};

/** Changes all members of that name in a text that is JSON; oddities follow one another, so that places meet all of them. */
function makeOdd(text: string, name: string, oddity: Oddity, next: () => number): string {
  const write = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
    if (typeof value !== "object" || value === null) return JSON.stringify(value);
    const members = Object.entries(value).map(([key, each]) => {
      if (key !== name) return `${JSON.stringify(key)}:${write(each)}`;
      const odd = JSON.stringify(NASTY_KEYS[next() % NASTY_KEYS.length]);
      if (oddity === "key") return `${odd}:${write(each)}`;
      return `${JSON.stringify(key)}:${oddity === "name" ? odd : VALUES[next() % VALUES.length]}`;
    });
    return `{${members.join(",")}}`;
  };
  const value = parse(text);
  return value === undefined ? text : write(value);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // what is damaged stays so
  }
}

/** Every key of an object anywhere in these texts. */
function keysIn(texts: Iterable<string>): string[] {
  const keys = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if (!Array.isArray(value)) for (const key of Object.keys(value)) keys.add(key);
    for (const each of Object.values(value)) collect(each);
  };
  for (const text of texts) collect(parse(text));
  return [...keys];
}

/** A file of lines, or one document. */
const inLines = (text: string, change: (line: string) => string): string =>
  parse(text) === undefined ? text.split("\n").map(change).join("\n") : change(text);

/** All files below a home by their paths; databases are for other tests. */
const filesIn = (home: string): Record<string, string> =>
  Object.fromEntries(
    globSync("**/*", { cwd: home })
      .map((name) => join(home, name))
      .filter((path) => statSync(path).isFile() && !path.endsWith(".vscdb"))
      .map((path) => [path, readFileSync(path, "utf8")]),
  );

/** What is refused in words is understood; anything else that is thrown is a defect. */
const unlessRefused = (error: unknown): void => {
  if (!(error instanceof AppError)) throw error;
};

async function readEverything(source: Source, fs: SessionFs, artifact: Artifact): Promise<number> {
  const { events, session } = await readAll(source, artifact, fs);
  const extractor = createExtractor(SINK, { outputHead: 256 });
  for (const event of events) extractor.event(event);
  extractor.end();
  JSON.stringify([toTurns(events), session]);
  await source.context?.messages(fs, artifact).catch(unlessRefused);
  return events.length;
}

describe.each(SOURCES.map((source) => [source.id, source] as const))("%s", (_, source) => {
  const homes = FIXTURES.filter((fixture) => fixture.source === source).map(({ home }) => ({
    home,
    files: filesIn(home),
  }));

  it.each(ODDITIES)("takes an odd %s in every place for what it is", async (oddity) => {
    let [number, places, events] = [0, 0, 0];
    for (const [at, { home, files }] of homes.entries()) {
      const { artifacts } = await scanHome(source, home, createMemoryFs(files));
      const logs = new Set(artifacts.map(({ path }) => path));
      const keys = keysIn(Object.values(files).flatMap((text) => text.split("\n")));
      for (const key of keys.filter((_, index) => (index + at) % EVERY === 0)) {
        // Prime to the number of oddities, so that a place meets others in other homes.
        const next = (): number => (number += 3);
        const odd = Object.entries(files).map(([path, text]) => [
          path,
          text.includes(JSON.stringify(key))
            ? inLines(text, (line) => makeOdd(line, key, oddity, next))
            : text,
        ]);
        const fs = createMemoryFs(Object.fromEntries(odd));
        const changed = odd.flatMap(([path = "", text]) => (text === files[path] ? [] : [path]));
        const isBeside = changed.some((path) => !logs.has(path));
        places++;
        for (const artifact of artifacts.filter(({ path }) => isBeside || changed.includes(path)))
          try {
            events += await readEverything(source, fs, artifact);
          } catch (error) {
            throw new Error(`${artifact.path} with an odd ${oddity} at "${key}"`, { cause: error });
          }
        await scanHome(source, home, fs);
      }
    }
    expect(places).toBeGreaterThan(30);
    expect(events).toBeGreaterThan(200);
  });
});
