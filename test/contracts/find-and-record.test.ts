/** Every part of a session leads to its record, every text in it is found, and no other file is read for either. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { refresh } from "../../src/indexer/refresh.ts";
import type { Event } from "../../src/model/session/session.ts";
import { findText } from "../../src/query/find.ts";
import { type RecordOptions, recordOf } from "../../src/query/record.ts";
import { collect } from "../../src/sources/catalog.ts";
import { openStore } from "../../src/store/open.ts";
import { createSessionStore } from "../../src/store/session-store.ts";
import { findLineBefore } from "../../src/store/turn-ranges.ts";
import { copilotId, type Step } from "../made-up-turns.ts";
import { nameOf, useCountedHomes } from "./counted-homes.ts";
import { FIXTURES } from "./fixtures.ts";

const homes = useCountedHomes();
const { bytes } = homes;
const NAME = `copilot-cli:${copilotId(0)}`;
const log = (): string => join(homes.folder, "home/copilot/session-state", copilotId(0), "events.jsonl");
const ask = (text: string): Step => ({ does: "ask", text, attached: false });

describe("a record", () => {
  it.each(FIXTURES.map((fixture) => [fixture.name, fixture] as const))(
    "is that of the event, in %s",
    async (_name, fixture) => {
      const catalog = homes.fixture(fixture);
      for (const artifact of (await catalog.scan()).artifacts) {
        const { events } = await collect(catalog, artifact);
        const places = new Map(events.map(({ origin }) => [`${origin.file}:${origin.line}`, origin]));
        for (const { file, line, start, end } of [...places.values()].slice(0, 12)) {
          const record = await recordOf(catalog, nameOf(artifact), {
            line,
            ...(file !== undefined && { file }),
          });
          const content = readFileSync(file ?? artifact.path);
          expect(record.text, `${artifact.path}:${line}`).toBe(
            content.subarray(record.start, record.end).toString("utf8"),
          );
          expect(record.line).toBe(line);
          expect([record.start <= start, record.end >= end, record.isCut]).toEqual([true, true, false]);
        }
      }
    },
  );

  it("is in no other file than those of the session", async () => {
    const catalog = homes.homes([[ask("Begin")]]);
    writeFileSync(join(homes.folder, "secret"), "token\n");
    const others = [
      join(homes.folder, "secret"),
      join(dirname(log()), "../../secret"),
      "/etc/passwd",
      `${log()}/..`,
    ];
    for (const file of others)
      await expect(recordOf(catalog, NAME, { line: 1, file }), file).rejects.toMatchObject({
        code: "record-not-found",
      });
    expect([...bytes.keys()].filter((path) => !path.startsWith(join(homes.folder, "home")))).toEqual([]);
    expect((await recordOf(catalog, NAME, { line: 1, file: log() })).text).toContain("session.start");
  });

  it("may be the last one, without a line feed; there is none behind it", async () => {
    const catalog = homes.homes([[ask("Begin")]]);
    const lines = readFileSync(log(), "utf8").split("\n").length - 1;
    await expect(recordOf(catalog, NAME, { line: lines + 1 })).rejects.toMatchObject({
      code: "record-not-found",
    });
    appendFileSync(log(), "torn");
    expect(await recordOf(catalog, NAME, { line: lines + 1 })).toMatchObject({ text: "torn", isCut: false });
    await expect(recordOf(catalog, NAME, { line: 1e9 })).rejects.toMatchObject({ code: "record-not-found" });
  });

  it("is cut after a mebibyte, between two characters", async () => {
    const catalog = homes.homes([[ask("Begin")]]);
    const lines = readFileSync(log(), "utf8").split("\n").length - 1;
    appendFileSync(log(), `x${"ä".repeat(1 << 20)}\n`);
    const { text, start, end, isCut } = await recordOf(catalog, NAME, { line: lines + 1 });
    expect([text, end - start, isCut]).toEqual([`x${"ä".repeat((1 << 19) - 1)}`, (1 << 21) + 1, true]);
  });

  it("is read without what comes before its turn and after it, where the store knows the turns", async () => {
    const steps = Array.from({ length: 400 }, (): Step[] => [ask("Look into it"), { does: "answer" }]).flat();
    const catalog = homes.homes([steps]);
    const now = () => new Date("2026-11-15T12:00:00.000Z");
    const db = openStore({ folder: join(homes.folder, "data"), now, notice: () => undefined });
    try {
      const store = createSessionStore(db);
      await refresh(catalog, store, { outputHead: 256, now });
      const options: RecordOptions = {
        lineBefore: async (artifact, line) => findLineBefore(db, artifact, store.rowsVersion, line),
      };
      const content = readFileSync(log(), "utf8").split("\n");
      for (const line of [1, 2, 400, content.length - 1]) {
        const whole = await recordOf(catalog, NAME, { line });
        bytes.clear();
        const found = await recordOf(catalog, NAME, { line }, options);
        expect(found).toEqual(whole);
        expect(found.text).toBe(content[line - 1]);
        const share = (bytes.get(log()) ?? 0) / content.join("\n").length;
        expect(share, `${line}`).toBeLessThan(1.01 - (line - 5) / content.length);
      }
    } finally {
      db.close();
    }
  });
});

/** What can be found in an event, looked for in the simplest way. */
const textOf = (event: Event): string => {
  if (event.kind === "prompt") return event.agent === undefined ? event.text : "";
  if (event.kind === "compaction") return `${event.title ?? ""}\n${event.summary}`;
  return "text" in event ? event.text : "";
};

describe("a text", () => {
  it.each(FIXTURES.map((fixture) => [fixture.name, fixture] as const))(
    "is found wherever it is, in %s",
    async (_name, fixture) => {
      const catalog = homes.fixture(fixture);
      for (const artifact of (await catalog.scan()).artifacts) {
        const { events, session } = await collect(catalog, artifact);
        const words = new Set(
          events.flatMap(
            (event) =>
              textOf(event)
                .match(/[a-z]{5,}/gi)
                ?.slice(0, 1) ?? [],
          ),
        );
        for (const word of [...words].slice(0, 5)) {
          const { matches, total } = await findText(catalog, nameOf(artifact), { text: word.toUpperCase() });
          const least = events.reduce(
            (sum, event) => sum + textOf(event).toLowerCase().split(word.toLowerCase()).length - 1,
            0,
          );
          expect(total, word).toBeGreaterThanOrEqual(least);
          expect(matches).toHaveLength(total);
          for (const { turn = 0, snippet } of matches) {
            expect(turn).toBeLessThan(Math.max(session.turns, 1));
            expect(snippet.toLowerCase()).toContain(`\u0001${word.toLowerCase()}\u0002`);
          }
        }
      }
    },
  );

  it("is taken as it is, and found in each turn with what is around it", async () => {
    const hostile = ".*+?^$()|[]{}\\ <script>alert(1)</script> %_ \u0001marked\u0002";
    const catalog = homes.homes([
      [
        ask(`First ${hostile}`),
        { does: "call" },
        { does: "answer" },
        ask(`${"far ".repeat(100)}STRASSE needle${"\n\tmore".repeat(100)}`),
        { does: "answer" },
      ],
    ]);
    for (const artifact of (await catalog.scan()).artifacts) {
      const find = async (text: string, limit?: number) =>
        findText(catalog, nameOf(artifact), { text, ...(limit !== undefined && { limit }) });
      for (const text of [".*+?^$()|[]{}\\", "<SCRIPT>", "%_", "Marked"])
        expect(await find(text), `${artifact.source} ${text}`).toMatchObject({
          total: 1,
          matches: [{ turn: 0, where: "user" }],
        });
      expect((await find(".")).total).toBeGreaterThan(0);
      expect((await find("strasse NEEDLE")).matches).toMatchObject([
        {
          turn: 1,
          where: "user",
          snippet: `…${"far ".repeat(10)}\u0001STRASSE needle\u0002${" more".repeat(16)} mo…`,
        },
      ]);
      if (artifact.source === "copilot-cli")
        expect((await find("echo")).matches[0]).toMatchObject({ turn: 0, where: "tool", callId: "call_1" });
      const some = await find("far", 3);
      expect([some.matches.length, some.total]).toEqual([3, 100]);
      expect(await find("nowhere")).toMatchObject({ matches: [], total: 0 });
      await expect(find("  ")).rejects.toMatchObject({ code: "usage" });
    }
  });

  it("is found in the turn that made the call, however late its result comes", async () => {
    const catalog = homes.homes([[ask("Begin")]]);
    let number = 10;
    const append = (type: string, data: object): void => {
      const id = `fee10000-0000-4000-8000-0000000005${number++}`;
      const record = { type, data, id, timestamp: "2026-11-01T11:00:00.000Z", parentId: null };
      appendFileSync(log(), `${JSON.stringify(record)}\n`);
    };
    const args = { command: "sleep 9" };
    const request = { toolCallId: "call_late", name: "bash", arguments: args };
    append("assistant.message", { messageId: "m", content: "", model: "gpt-5.4", toolRequests: [request] });
    append("tool.execution_start", { toolCallId: "call_late", toolName: "bash", arguments: args });
    append("user.message", { content: "Meanwhile", attachments: [] });
    const result = { content: "overslept" };
    append("tool.execution_complete", { toolCallId: "call_late", success: true, result });
    expect((await findText(catalog, NAME, { text: "Overslept" })).matches).toMatchObject([
      { turn: 0, where: "tool", callId: "call_late" },
    ]);
    expect((await findText(catalog, NAME, { text: "meanwhile" })).matches).toMatchObject([{ turn: 1 }]);
  });
});
