/** The demo as a newcomer meets it: written by the real sources, read back by them, with the planted damage found. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDemo, type Demo } from "../src/demo/create.ts";
import { workFolder } from "../src/demo/places.ts";
import { CHAPTERS } from "../src/demo/stories/index.ts";
import { tell, toId } from "../src/demo/tell.ts";
import type { Problem } from "../src/model/problem.ts";
import type { StoryStep } from "../src/model/session/story.ts";
import { type Turn, toTurns } from "../src/model/session/turns.ts";
import { localFs } from "../src/platform/fs/local.ts";
import { createMemoryFs, type MemoryFs } from "../src/platform/fs/memory.ts";
import { type Catalog, collect, openCatalog, type ReadResult } from "../src/sources/catalog.ts";
import { SOURCES } from "../src/sources/registry.ts";

const NOW = new Date("2026-11-15T18:00:00.000Z");

const home = realpathSync(mkdtempSync(join(tmpdir(), "rethread-demo-")));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let demo: Demo;
let seconds: number;
let catalog: Catalog;
let read: Map<string, ReadResult>;
let elsewhere: readonly Problem[];

beforeAll(async () => {
  const before = performance.now();
  demo = await createDemo({ fs: localFs, sources: SOURCES, home, now: NOW });
  seconds = (performance.now() - before) / 1000;
  catalog = openCatalog(SOURCES, { platform: process.platform, homeDir: home, vars: demo.vars }, localFs);
  const { artifacts, problems } = await catalog.scan();
  const results = await Promise.all(artifacts.map((artifact) => collect(catalog, artifact)));
  read = new Map(results.map((result) => [result.session.id, result]));
  elsewhere = [...problems, ...(await catalog.diagnose())];
});

const told = tell(CHAPTERS, workFolder(join(home, "demo")), NOW);
const whole = told.filter(({ telling }) => telling.damage === undefined);
const turnsOf = (id: string): Turn[] => toTurns(read.get(id)?.events ?? []);

const said = (steps: readonly StoryStep[]): string =>
  steps.flatMap((step) => (step.kind === "say" ? [step.text] : [])).join("\n\n");

describe("the demo home", () => {
  it("takes less than two seconds to make", () => {
    expect(seconds).toBeLessThan(2);
  });

  it("is the same, byte for byte, for the same home and moment", async () => {
    const [one, other] = [createMemoryFs(), createMemoryFs()];
    for (const fs of [one, other]) await createDemo({ fs, sources: SOURCES, home: "/data", now: NOW });
    expect(one.files.size).toBeGreaterThan(80);
    expect(filesIn(one)).toEqual(filesIn(other));
  });

  it("is found whole by the sources, and nothing else is", () => {
    const expected = told.filter(({ telling }) => telling.damage !== "lost");
    expect(demo.sessions).toBe(expected.length);
    expect([...read.keys()].sort()).toEqual(expected.map(({ story }) => story.id).sort());
  });

  it.each(whole.map(({ telling, story }) => [telling.name, story] as const))(
    "tells %s as it was told",
    (_name, story) => {
      const session = read.get(story.id)?.session;
      expect(session).toMatchObject({
        title: story.title,
        workspace: story.workspace,
        turns: story.turns.length,
      });
      const turns = turnsOf(story.id);
      expect(turns.map((turn) => turn.user)).toEqual(story.turns.map((turn) => turn.user));
      expect(turns.map((turn) => turn.assistant)).toEqual(story.turns.map((turn) => said(turn.steps)));
      expect(turns.map(toolStatuses)).toEqual(
        story.turns.map(({ steps }) =>
          steps.flatMap((step) => (step.kind === "tool" ? [step.ok ? "ok" : "failed"] : [])),
        ),
      );
      // A fork may keep the times of what it copied, or begin anew at its own: programs differ.
      if (story.forkOf) return;
      expect(session?.createdAt).toBe(story.createdAt);
      expect(turns.map((turn) => turn.startedAt)).toEqual(story.turns.map((turn) => turn.at));
    },
  );

  it("keeps the prompts of damaged sessions", () => {
    for (const { story } of told.filter(({ telling }) => telling.damage && telling.damage !== "lost"))
      expect(turnsOf(story.id).map((turn) => turn.user)).toEqual(story.turns.map((turn) => turn.user));
  });

  it("has the planted problems and no others", () => {
    const problems = [...[...read.values()].flatMap((result) => result.problems), ...elsewhere];
    const found = problems.map(({ code, source, session }) => [code, source, session ?? ""].join(" ")).sort();
    expect([...new Set(found)]).toEqual([
      `record-torn copilot-cli ${toId("backfill")}`,
      `record-torn vscode ${toId("gps-battery")}`,
      `session-ghost vscode ${toId("print-styles")}`,
      `workspace-missing vscode ${toId("rates-retries")}`,
      `workspace-missing vscode ${toId("rates-weekends")}`,
    ]);
  });

  it("remembers which session a fork was made from", () => {
    const forks = [...read.values()].flatMap(({ session }) =>
      session.parent ? [[session.id, session.parent.id]] : [],
    );
    expect(new Map(forks as [string, string][])).toEqual(
      new Map([
        [toId("checkout-library"), toId("checkout-machine")],
        [toId("walk-threads"), toId("walk-speed")],
      ]),
    );
  });

  it("shows where a session was summarized", () => {
    for (const name of ["checkout-machine", "polars-migration"]) {
      const parts = turnsOf(toId(name)).flatMap((turn) => turn.parts);
      expect(
        parts.filter((part) => part.kind === "checkpoint"),
        name,
      ).toHaveLength(1);
    }
  });
});

const filesIn = ({ files }: MemoryFs) =>
  [...files]
    .map(([path, { bytes, mode, mtimeMs }]) => [path, bytes.toString("latin1"), mode, mtimeMs])
    .sort();

const toolStatuses = (turn: Turn): string[] =>
  turn.parts.flatMap((part) => (part.kind === "tool" ? [part.status] : []));
