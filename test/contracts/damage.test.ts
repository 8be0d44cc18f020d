/** Damages real-looking logs in every way people have met, at random: reading never throws, and what stood before the damage is still there. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Artifact } from "../../src/model/session/session.ts";
import { toTurns } from "../../src/model/session/turns.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { BYTE_DAMAGES, type ByteDamage, lineAt } from "../fuzz/byte-damage.ts";
import { FIXTURES, readAll, scanHome } from "./fixtures.ts";

const RUNS = 1000;

describe.each(SOURCES.map((source) => [source.id, source] as const))("%s", (_id, source) => {
  it(`survives ${RUNS} damaged logs`, async () => {
    const logs: {
      artifact: Artifact;
      bytes: Buffer;
      turns: { user: string; end: number }[];
    }[] = [];
    for (const fixture of FIXTURES.filter((candidate) => candidate.source === source)) {
      for (const artifact of (await scanHome(source, fixture.home)).artifacts) {
        const { events, problems } = await readAll(source, artifact).catch(() => ({
          events: [],
          problems: [],
        }));
        if (problems.length > 0 || events.length === 0 || artifact.listed?.state === "ghost") continue;
        const bytes = readFileSync(artifact.path);
        // A turn is safe from damage behind everything that it and the turns before it were read from.
        let end = 0;
        const turns = toTurns(events).map((turn) => {
          for (const part of [turn, ...turn.parts]) {
            if (part.origin.file === undefined) end = Math.max(end, part.origin.end);
          }
          return { user: turn.user, end };
        });
        logs.push({ artifact, bytes, turns });
      }
    }
    expect(logs.length).toBeGreaterThanOrEqual(3);

    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: logs.length - 1 }),
        fc.array(
          fc.record({
            how: fc.constantFrom(...Object.keys(BYTE_DAMAGES)),
            where: fc.double({ min: 0, max: 1, noNaN: true }),
            size: fc.integer({ min: 1, max: 400 }),
          }),
          { minLength: 1, maxLength: 3 },
        ),
        async (which, blows) => {
          const log = logs[which] as (typeof logs)[number];
          let bytes = log.bytes;
          let first = bytes.length;
          for (const { how, where, size } of blows) {
            const at = Math.min(bytes.length, Math.floor(where * bytes.length));
            // Whole-line damage begins at its line, or at the line feed before it.
            first = Math.min(first, Math.max(0, lineAt(bytes, at) - 1));
            bytes = (BYTE_DAMAGES[how] as ByteDamage)(bytes, at, size);
          }
          const fs = createMemoryFs({ [log.artifact.path]: bytes });
          const { events, session } = await readAll(source, log.artifact, fs);
          await source.context?.messages(fs, log.artifact);
          const users = toTurns(events).map((turn) => turn.user);
          const safe = log.turns.filter((turn) => turn.end < first).map((turn) => turn.user);
          expect(users.slice(0, safe.length), log.artifact.path).toEqual(safe);
          expect(session.turns).toBe(users.length);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
