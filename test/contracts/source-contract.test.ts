/** What every source must do, written once and run over every fixture of every source. */
import { createHash } from "node:crypto";
import { globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countsAgainst, PROBLEM_CODES } from "../../src/model/problem.ts";
import type { Event } from "../../src/model/session/session.ts";
import { toTurns } from "../../src/model/session/turns.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { copyHome, FIXTURES, type Fixture, readAll, scanHome } from "./fixtures.ts";

const codes = (problems: readonly { code: string }[]): string[] =>
  problems.map((problem) => problem.code).sort();
const filesBelow = (home: string): string[] =>
  globSync("**/*", { cwd: home })
    .map((file) => join(home, file))
    .filter((file) => statSync(file).isFile())
    .sort();
const digest = (home: string): string[] =>
  filesBelow(home).map((file) => `${file} ${createHash("sha256").update(readFileSync(file)).digest("hex")}`);
const words = (events: readonly Event[]): string[] =>
  events.map(
    (event) => `${event.kind} ${"text" in event ? event.text : "callId" in event ? event.callId : ""}`,
  );

it("has at least five fixtures for each source, each with a sentence saying why", () => {
  for (const source of SOURCES) {
    const own = FIXTURES.filter((fixture) => fixture.source === source);
    expect(own.length, source.id).toBeGreaterThanOrEqual(5);
    for (const fixture of own) expect(fixture.expected.why, fixture.name).toMatch(/^[A-Z].{15,}\.$/);
  }
});

describe.each(FIXTURES.map((fixture) => [fixture.name, fixture] as const))(
  "%s",
  (_name, fixture: Fixture) => {
    const { source, expected } = fixture;
    let home: string;
    let remove: () => void;
    beforeAll(() => {
      ({ home, remove } = copyHome(fixture));
    });
    afterAll(() => remove());

    it("finds the sessions and what is wrong around them", async () => {
      const { artifacts, problems } = await scanHome(source, home);
      await source.health?.diagnose(localFs, home, { problem: (problem) => void problems.push(problem) });
      expect(artifacts.map((artifact) => artifact.id)).toEqual(Object.keys(expected.sessions).sort());
      expect(codes(problems)).toEqual(expected.problems);
      for (const problem of problems) expect(problem.source).toBe(source.id);
    });

    it("reads each session as told, and changes nothing", async () => {
      const before = digest(home);
      const { artifacts } = await scanHome(source, home);
      const seen: Record<string, unknown> = {};
      for (const artifact of artifacts) {
        const { session, events, problems } = await readAll(source, artifact);
        seen[artifact.id] = { title: session.title, turns: session.turns, problems: codes(problems) };
        expect(session).toMatchObject({ source: source.id, id: artifact.id });
        expect(session.turns, "the head counts the turns that the events make").toBe(toTurns(events).length);
        expect(session.problems).toBe(problems.filter(countsAgainst).length);
        for (const problem of problems) {
          expect(problem.source).toBe(source.id);
          expect(problem.session).toBe(artifact.id);
          expect(Object.keys(PROBLEM_CODES)).toContain(problem.code);
          expect(problem.message).not.toBe("");
        }
      }
      expect(seen).toEqual(expected.sessions);
      expect(digest(home)).toEqual(before);
    });

    it("knows for every event the record it came from", async () => {
      const { artifacts } = await scanHome(source, home);
      for (const artifact of artifacts) {
        for (const event of (await readAll(source, artifact)).events) {
          const { file = artifact.path, line, start, end, at } = event.origin;
          const bytes = readFileSync(file);
          const place = `${file}:${line} (${event.kind})`;
          expect(end, place).toBeLessThanOrEqual(bytes.length);
          expect(
            bytes.subarray(0, start).reduce((feeds, byte) => feeds + (byte === 10 ? 1 : 0), 1),
            place,
          ).toBe(line);
          const record = parse(bytes.subarray(start, end).toString("utf8"));
          // A damaged record may still have given events; an intact one must be found under its path.
          if (record === undefined || at === undefined) continue;
          let value: unknown = record;
          for (const key of at) value = (value as Record<string | number, unknown> | undefined)?.[key];
          expect(value, `${place} at ${at.join(".")}`).toBeDefined();
        }
      }
    });

    it("reads the same from a file system in memory", async () => {
      const { artifacts } = await scanHome(source, home);
      const memory = createMemoryFs(
        Object.fromEntries(filesBelow(home).map((file) => [file, readFileSync(file)])),
      );
      for (const artifact of artifacts) {
        const [there, here] = [await readAll(source, artifact, memory), await readAll(source, artifact)];
        expect(there.events).toEqual(here.events);
        expect(there.session.title).toBe(here.session.title);
      }
    });

    it("can say what the model would receive, each tool result after its call", async () => {
      if (!source.context) return;
      for (const artifact of (await scanHome(source, home)).artifacts) {
        const messages = await source.context.messages(localFs, artifact);
        const called = new Set<string | undefined>();
        const early = messages.filter(({ role, toolCalls, toolCallId }) => {
          for (const call of toolCalls ?? []) called.add(call.id);
          return role === "tool" && !called.has(toolCallId);
        });
        expect(early, artifact.path).toEqual([]);
      }
    });

    it("is not disturbed by fields it has never heard of", async () => {
      const { home: changed, remove: removeChanged } = copyHome(fixture);
      try {
        for (const file of filesBelow(changed).filter((name) => /\.jsonl?$/.test(name))) {
          writeFileSync(file, addUnknownFields(readFileSync(file)));
        }
        const [plain, extended] = [
          (await scanHome(source, home)).artifacts,
          (await scanHome(source, changed)).artifacts,
        ];
        expect(extended.map((artifact) => artifact.id)).toEqual(plain.map((artifact) => artifact.id));
        for (const [i, artifact] of plain.entries()) {
          const [was, is] = [
            await readAll(source, artifact),
            await readAll(source, extended[i] as typeof artifact),
          ];
          expect(words(is.events)).toEqual(words(was.events));
          expect(is.session.title).toBe(was.session.title);
        }
      } finally {
        removeChanged();
      }
    });

    it("keeps no more of a tool result than it was asked for, and says how much is missing", async () => {
      for (const artifact of (await scanHome(source, home)).artifacts) {
        const whole = (await readAll(source, artifact, undefined, { textLimit: Number.POSITIVE_INFINITY }))
          .events;
        const short = (await readAll(source, artifact, undefined, { textLimit: 5 })).events;
        expect(short.length).toBe(whole.length);
        for (const [i, event] of short.entries()) {
          const full = whole[i];
          if (event.kind !== "tool-result" || full?.kind !== "tool-result") continue;
          expect(event.text).toBe(full.text.slice(0, 5));
          expect(event.text.length + (event.cut ?? 0)).toBe(full.text.length + (full.cut ?? 0));
        }
      }
    });

    it("reports a session that vanished after the scan instead of throwing", async () => {
      const { home: emptied, remove: removeEmptied } = copyHome(fixture);
      try {
        const { artifacts } = await scanHome(source, emptied);
        rmSync(emptied, { recursive: true });
        for (const artifact of artifacts) {
          const { events, problems } = await readAll(source, artifact);
          expect(events).toEqual([]);
          expect(problems.length, artifact.path).toBeGreaterThan(0);
        }
      } finally {
        removeEmptied();
      }
    });
  },
);

/** Adds a key to every JSON object that is a record; damaged lines stay as they are. */
function addUnknownFields(bytes: Buffer): Buffer {
  const extend = (text: string): string => {
    const value = parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? JSON.stringify({ ...value, "x-unheard-of": { deep: [1, null, "?"] } })
      : text;
  };
  const text = bytes.toString("latin1");
  if (parse(text) !== undefined) return Buffer.from(extend(text), "latin1");
  return Buffer.from(text.split("\n").map(extend).join("\n"), "latin1");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^(\ufeff|ï»¿)/, ""));
  } catch {
    return undefined;
  }
}
