/** What the model would receive is assigned to the turns that `show` tells, of every session of the fixtures and the demo. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDemo } from "../../src/demo/create.ts";
import { demoFolder, demoVars } from "../../src/demo/places.ts";
import { type Part, toTurns } from "../../src/model/session/turns.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { contextOf } from "../../src/query/context.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { FIXTURES, readAll } from "./fixtures.ts";

const env = { platform: process.platform, homeDir: "/nobody", vars: {} };
let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-context-turns-")));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const callsIn = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => (part.kind === "tool" ? [part.callId, ...callsIn(part.children ?? [])] : []));

/** Gives back how many messages of turns were looked at. */
async function expectSameTurns(catalog: Catalog): Promise<number> {
  let seen = 0;
  const { artifacts } = await catalog.scan();
  for (const artifact of artifacts) {
    const source = SOURCES.find(({ id }) => id === artifact.source) ?? SOURCES[0];
    if (!source?.context) continue;
    const turns = toTurns((await readAll(source, artifact)).events);
    const calls = turns.flatMap((turn) => callsIn(turn.parts).map((id) => ({ id, turn: turn.index })));
    const { messages } = await contextOf(catalog, `${artifact.source}:${artifact.id}`);
    for (const message of messages) {
      const where = `${artifact.path}: ${message.text.slice(0, 60)}`;
      if (message.turn !== undefined) expect(turns[message.turn], where).toBeDefined();
      const made = calls.filter(({ id }) => id === message.toolCallId);
      if (made[0] && made.length === 1) expect(message.turn, where).toBe(made[0].turn);
      for (const { id } of message.toolCalls ?? []) {
        const own = calls.filter((each) => each.id === id);
        if (own[0] && own.length === 1) expect(message.turn, where).toBe(own[0].turn);
      }
      if (message.turn === undefined) continue;
      seen++;
      // Pictures, and that somebody interrupted, are told in brackets.
      if (message.role !== "user" || message.madeUp || message.text.startsWith("[")) continue;
      expect(message.text, where).toContain(turns[message.turn]?.user.trim() ?? "");
    }
  }
  return seen;
}

describe("the turns of a context", () => {
  it.each(FIXTURES.map(({ name, source, home }) => ({ name, source, home })))(
    "are those of show: $name",
    async ({ source, home }) => {
      await expectSameTurns(openCatalog([{ ...source, locate: [home] }], env, localFs));
    },
  );

  it("are those of show: the demo", async () => {
    await createDemo({
      fs: localFs,
      sources: SOURCES,
      home: folder,
      now: new Date("2026-11-15T12:00:00.000Z"),
    });
    const catalog = openCatalog(SOURCES, { ...env, vars: demoVars(demoFolder(folder)) }, localFs);
    expect(await expectSameTurns(catalog)).toBeGreaterThan(100);
  });
});
