/** Finds the fixtures: miniature homes, each with one sentence saying why it exists and what a reader must see. */
import { cpSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Problem } from "../../src/model/problem.ts";
import type { Artifact, Event, Session } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import type { SessionFs } from "../../src/platform/fs/session-fs.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import type { ReadOptions, Source } from "../../src/sources/source.ts";

export interface Expectation {
  readonly why: string;
  readonly sessions: Record<string, { title: string; turns: number; problems: string[] }>;
  /** Codes from scan and examine, sorted. */
  readonly problems: string[];
}

export interface Fixture {
  readonly source: Source;
  readonly name: string;
  readonly home: string;
  readonly expected: Expectation;
}

const base = resolve(import.meta.dirname, "../fixtures");

export const FIXTURES: readonly Fixture[] = SOURCES.flatMap((source) =>
  globSync("*/case.json", { cwd: join(base, source.id) })
    .sort()
    .map((file) => ({
      source,
      name: `${source.id}/${file.slice(0, -"/case.json".length)}`,
      home: join(base, source.id, file, "../home"),
      expected: JSON.parse(readFileSync(join(base, source.id, file), "utf8")) as Expectation,
    })),
);

/** A copy that may be changed; git keeps neither modes nor times, so tests never rely on them. */
export function copyHome(fixture: Fixture): { home: string; remove: () => void } {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-fixture-")));
  const home = join(folder, "home");
  cpSync(fixture.home, home, { recursive: true });
  return { home, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export async function scanHome(source: Source, home: string, fs: SessionFs = localFs) {
  const artifacts: Artifact[] = [];
  const problems: Problem[] = [];
  await source.scan(fs, home, {
    artifact: (artifact) => void artifacts.push(artifact),
    problem: (problem) => void problems.push(problem),
  });
  return { artifacts: artifacts.sort((a, b) => (a.id < b.id ? -1 : 1)), problems };
}

export async function readAll(
  source: Source,
  artifact: Artifact,
  fs: SessionFs = localFs,
  options?: ReadOptions,
): Promise<{ session: Session; events: Event[]; problems: Problem[] }> {
  const events: Event[] = [];
  const problems: Problem[] = [];
  const session = await source.read(
    fs,
    artifact,
    { event: (event) => void events.push(event), problem: (problem) => void problems.push(problem) },
    options,
  );
  return { session, events, problems };
}
