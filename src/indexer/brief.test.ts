/** A log that is told in brief makes the rows that its events make, whatever is in it, and leaves the same bookmark. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { artifact, record, start, toLog } from "../../test/copilot-log.ts";
import { blows, strikeAll } from "../../test/fuzz/blows.ts";
import { NASTY_KEYS, NASTY_VALUES } from "../../test/fuzz/nasty.ts";
import { conversations, copilotFiles } from "../../test/made-up-turns.ts";
import { createMemoryFs } from "../platform/fs/memory.ts";
import { openCatalog } from "../sources/catalog.ts";
import type { Catalog } from "../sources/catalog-contract.ts";
import { SOURCES } from "../sources/registry.ts";
import type { ReadSink } from "../sources/source.ts";
import { indexOne } from "./index-one.ts";
import { createRecording, type Step } from "./recording.ts";

const homes = resolve(import.meta.dirname, "../../test/fixtures/copilot-cli");
const LOGS = globSync("**/events.jsonl", { cwd: homes }).map((path) => ({
  log: readFileSync(join(homes, path)),
  beside: Object.fromEntries(
    globSync("*.yaml", { cwd: join(homes, dirname(path)) }).map((name) => [
      name,
      readFileSync(join(homes, dirname(path), name)),
    ]),
  ),
}));
const RUNS = 300;
const folder = dirname(artifact.path);

/** What the store is told of the session, and how much of that was told as events. */
async function index(files: Record<string, string | Uint8Array>, how: "brief" | "events", outputHead = 256) {
  const fs = createMemoryFs(
    Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`${folder}/${name}`, bytes])),
  );
  const places = openCatalog(SOURCES, { platform: "linux", homeDir: "/", vars: {} }, fs);
  let [events, briefs] = [0, 0];
  const counted = (sink: ReadSink): ReadSink => {
    const event: ReadSink["event"] = (it) => {
      events++;
      sink.event(it);
    };
    const brief = how === "brief" ? sink.brief : undefined;
    return {
      problem: sink.problem,
      event,
      ...(brief && {
        brief: Object.fromEntries(
          Object.entries(brief).map(([name, tell]) => [
            name,
            (...told: unknown[]) => {
              briefs++;
              (tell as (...args: unknown[]) => void)(...told);
            },
          ]),
        ) as unknown as ReadSink["brief"],
      }),
    } as ReadSink;
  };
  const catalog: Catalog = {
    ...places,
    read: (of, sink, options) => places.read(of, counted(sink), { ...options, asRecorded: true }),
  };
  const steps: Step[] = [];
  const store = createRecording(
    (step) => void steps.push(step),
    () => true,
  );
  const size = Buffer.from(files["events.jsonl"] ?? "").length;
  const change = { ...artifact, fingerprint: { ...artifact.fingerprint, size } };
  await indexOne(catalog, store, { kind: "read", artifact: change }, { outputHead });
  // As it is kept: what is not known is not there.
  return { steps: JSON.parse(JSON.stringify(steps)) as unknown, events, briefs };
}

async function compare(
  files: Record<string, string | Uint8Array>,
  outputHead?: number,
): Promise<{ events: number; briefs: number }> {
  const events = await index(files, "events", outputHead);
  const brief = await index(files, "brief", outputHead);
  // Not by the matchers, which call what values have under the names of methods.
  const isSame = isDeepStrictEqual(brief.steps, events.steps);
  if (!isSame) expect(JSON.stringify(brief.steps, null, 1)).toBe(JSON.stringify(events.steps, null, 1));
  expect(isSame).toBe(true);
  return brief;
}

it("tells most of the miniature homes in brief", async () => {
  expect(LOGS.length).toBeGreaterThan(10);
  let [events, briefs] = [0, 0];
  for (const { log, beside } of LOGS)
    for (const head of [0, 256]) {
      const told = await compare({ ...beside, "events.jsonl": log }, head);
      events += told.events;
      briefs += told.briefs;
    }
  expect(briefs / (events + briefs)).toBeGreaterThan(0.5);
});

it("tells the same of damaged logs", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...LOGS), blows, async ({ log, beside }, damage) => {
      await compare({ ...beside, "events.jsonl": strikeAll("/events.jsonl", log, damage) });
    }),
    { numRuns: RUNS },
  );
});

it("tells the same of made-up conversations", async () => {
  await fc.assert(
    fc.asyncProperty(conversations, async (steps) => {
      for (const log of Object.values(copilotFiles(1, steps))) await compare({ "events.jsonl": log });
    }),
    { numRuns: RUNS },
  );
});

/** Mostly the first of these: a log is made of usual lines, and one field makes a line odd. */
const mostly = (usual: unknown, ...others: unknown[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 25, arbitrary: fc.constant(usual) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
const text = fc.oneof(
  fc.constantFrom("", " ", "Fixed in #12: https://github.com/a/b/pull/7", 'naïve \u0007 \\ " 検索', "\ud800"),
  fc.string({ maxLength: 20 }),
);
const callId = fc.constantFrom("t1", "t2", "t\u00e93", 't"4');
const command = fc.constantFrom("ls", "git commit -m x", "gh pr create", 'echo "x"\ny');
const PATCH = "*** Begin Patch\n*** Add File: a\n+x\n*** Update File: b\n-y\n+z\n*** End Patch";
const tool = fc.oneof(
  fc.record({ name: fc.constantFrom("bash", "x"), arguments: fc.record({ command }) }),
  fc.record({
    name: fc.constantFrom("view", "edit", "create"),
    arguments: mostly({ path: "/srv/a.ts" }, {}),
  }),
  fc.constantFrom<object>(
    { name: "github-mcp-server-get_issue", arguments: { owner: "o", repo: "r", issue_number: 7 } },
    { name: "x", arguments: '{"command":"ls"}' },
    { name: "x" },
    { name: "x", arguments: null, intentionSummary: 7, toolTitle: "Looking" },
    { name: "x", arguments: { a: { b: [1, { c: "d" }] } } },
  ),
  mostly({ name: "rg", intentionSummary: "Look" }, { name: "apply_patch", arguments: { patch: PATCH } }),
);
const request = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.tuple(callId, tool).map(([toolCallId, about]) => ({ toolCallId, ...(about as object) })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<unknown>(null, 7, [], { toolCallId: 7, name: "x" }, { toolCallId: "t" }),
  },
);
const answer = fc.record({
  messageId: mostly("m", 7),
  model: fc.oneof(fc.constantFrom("gpt-5.4", "other"), mostly(undefined, 7)),
  reasoningText: fc.oneof(fc.constantFrom(undefined, "Hm"), mostly("", null, 7)),
  content: fc.oneof({ weight: 20, arbitrary: text }, { weight: 1, arbitrary: fc.constant(7) }),
  toolRequests: fc.oneof(
    { weight: 20, arbitrary: fc.array(request, { maxLength: 3 }) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(undefined, null, {}, "x") },
  ),
  interactionId: fc.constantFrom(undefined, "i"),
  reasoningOpaque: fc.constantFrom(undefined, "x".repeat(400)),
  parentToolCallId: mostly(undefined, "t1", 7),
  startTime: mostly(undefined, "1999-12-28T00:00:00.000Z"),
});
const output = fc.oneof(
  text,
  fc.constantFrom(
    "[main 1a2b3c4] x\nhttps://github.com/a/b/pull/9",
    `${"naïve\t".repeat(300)}[main 5a2b3c4] x`,
    `${"x".repeat(767)}\\`,
    `a","b${"\n".repeat(800)}`,
  ),
);
const result = fc.record({
  toolCallId: callId,
  turnId: fc.constant("0"),
  shellExecution: fc.oneof(
    fc.constantFrom(undefined, { exitCode: 0 }),
    mostly({ exitCode: 1 }, { exitCode: "x" }),
  ),
  fileEdits: mostly(undefined, [{ path: "a" }, { path: "/b" }]),
  success: mostly(true, false),
  result: output.map((content) => ({ content })),
  error: mostly(undefined, { message: "no", code: "interrupted" }),
  toolTelemetry: fc.constantFrom<unknown>(
    undefined,
    { metrics: { linesAdded: 3 } },
    { properties: { a: "b" } },
  ),
});
const usage = fc.record({
  usage: fc.oneof(
    {
      weight: 20,
      arbitrary: fc.record({
        model: mostly("gpt-5.4", undefined, 7),
        inputTokens: mostly(1, 0, 2.5, "x", undefined),
        cost: fc.constantFrom(1, undefined),
        contentFilterTriggered: fc.constantFrom<unknown>(true, undefined, "x"),
        parentToolCallId: mostly(undefined, "t1"),
        copilotUsage: fc.constantFrom<unknown>(undefined, { totalNanoAiu: 5, tokenDetails: [{ a: 1 }] }),
        accounting: mostly(undefined, { sourceSessionId: artifact.id }, { sourceSessionId: "another" }),
      }),
    },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, [], 7) },
  ),
});
const prompt = fc.record({
  content: fc.oneof({ weight: 20, arbitrary: text }, { weight: 1, arbitrary: fc.constant(7) }),
  transformedContent: mostly(undefined, null, "x", 7),
  attachments: fc.oneof(
    fc.constantFrom(undefined, []),
    mostly([], null, [{ type: "file", path: "/a.png" }], "x"),
  ),
  handoff: mostly(undefined, { work: 7 }, null),
});
const envelope = mostly(
  {},
  ...[{ agentId: "a" }, { ephemeral: true }, { id: "x" }, { parentId: 7 }],
  ...["2026-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "1999-12-28T00:00:00.000Z"].map(
    (timestamp) => ({
      timestamp,
    }),
  ),
  ...["2026-01-02T24:00:00.000Z", "2030-01-02T03:04:05.678Z", "2020-01-01T00:00:00.000Z"].map(
    (timestamp) => ({
      timestamp,
    }),
  ),
);
const FIELDS = ["parentToolCallId", "startTime", "content", "usage", "toolRequests", ...NASTY_KEYS];
/** Something else in the data of a line. */
const odd = fc.oneof(
  { weight: 25, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...FIELDS), fc.constantFrom(...NASTY_VALUES)) },
);
const ofType = (type: string, data: fc.Arbitrary<unknown>) =>
  data.map((some) => ({ type, data: some as object }));
const line = fc.record({
  record: fc.oneof(
    ofType("user.message", prompt),
    { weight: 3, arbitrary: ofType("assistant.message", answer) },
    { weight: 3, arbitrary: ofType("tool.execution_complete", result) },
    { weight: 2, arbitrary: ofType("session.usage_record", usage) },
    ofType("tool.execution_start", fc.record({ toolCallId: callId, toolName: text })),
    ofType("assistant.turn_end", fc.constant({ turnId: "0" })),
    fc.oneof(
      ofType(
        "tool.execution_start",
        fc.record({ model: fc.constant("m"), toolCallId: callId, toolName: text }),
      ),
      ofType("system.message", fc.constant({ role: "system", content: "You are" })),
      ofType("session.compaction_complete", fc.constant({ success: true, summaryContent: "Before" })),
      ofType("abort", fc.constant({ reason: "user" })),
    ),
  ),
  envelope: envelope as fc.Arbitrary<object>,
  odd,
});

it("tells the same of records with any fields", async () => {
  let [events, briefs] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1, maxLength: 14 }),
      fc.boolean(),
      async (lines, isEnded) => {
        const written = lines.map(({ record: { type, data }, envelope: around, odd: more }) => {
          const whole = JSON.stringify({ ...record(type, data), ...around });
          return more === undefined
            ? whole
            : whole.replace('"data":{', `"data":{${JSON.stringify(more[0])}:${more[1]},`);
        });
        const log = toLog(start, ...written);
        const told = await compare({ "events.jsonl": isEnded ? log : log.slice(0, -1) });
        events += told.events;
        briefs += told.briefs;
      },
    ),
    { numRuns: 4 * RUNS },
  );
  expect(briefs).toBeGreaterThan(events);
});
