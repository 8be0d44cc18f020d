/** Made-up sessions for statistics, written row by row: copies of turns and calls, odd times, many spellings. */
import fc from "fast-check";
import type { RowSink } from "../../src/store/rows.ts";
import type { SessionStore } from "../../src/store/session-store.ts";

const NAMES = ["a", "b", "c", "d", "e"] as const;
/** Around days, months, years and changes of the clock in Berlin, New York and on Lord Howe. */
const TIMES = [
  ...["2026-10-25T00:59:59.999Z", "2026-10-25T22:30:00.000Z", "2026-10-31T23:59:59.000Z"],
  ...["2026-03-08T06:59:59.999Z", "2026-03-08T07:00:00.000Z", "2026-11-01T00:00:00.000Z"],
  ...["2026-04-04T15:00:00.000Z", "2026-04-04T14:59:00.000Z", "2026-12-31T18:30:00.000Z"],
  ...["2026-11-10T12:00:00.000Z", "2026-11-10T12:00:00Z", "2026-11-10 12:00", "1999-12-31T23:59:59.999Z"],
  ...["2101-01-01T00:00:00.000Z", "+012026-01-01T00:00:00.000Z", "no time"],
];
const time = fc.option(fc.constantFrom(...TIMES), { nil: undefined });
const turnIndex = fc.option(fc.nat(4), { nil: undefined, freq: 8 });
const tokens = fc.option(fc.nat(100_000), { nil: undefined });

const turn = fc.record({ at: time, work: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }) });
const call = fc.record({
  turn: turnIndex,
  name: fc.constantFrom("Bash", "bash", "run_in_terminal", "runInTerminal", "mcp_x_Y", "𝒯ool", "ﬀ"),
  status: fc.constantFrom("ok", "failed", "pending", "interrupted"),
});
const usage = fc.record({
  turn: turnIndex,
  model: fc.constantFrom("claude-sonnet-4-5-20250929", "copilot/claude-sonnet-4.5", "gpt-5", "𝒢", "ﬁ"),
  call: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  input: tokens,
  output: tokens,
  cached: tokens,
  cacheWritten: tokens,
});
const file = fc.record({
  turn: turnIndex,
  path: fc.constantFrom("src/a.ts", "src/b.ts", "/srv/c.ts", "C:\\d.ts", "e", "src/𝒻", "src/ﬃ", "src/"),
  action: fc.constantFrom("read", "edited", "created", "deleted"),
  evidence: fc.constantFrom("tool", "call", "record"),
});
const rows = fc.record({
  turns: fc.array(turn, { maxLength: 4 }),
  calls: fc.array(call, { maxLength: 8 }),
  usage: fc.array(usage, { maxLength: 8 }),
  files: fc.array(file, { maxLength: 6 }),
});
type Rows = typeof rows extends fc.Arbitrary<infer T> ? T : never;

const heads = fc.record({
  source: fc.constantFrom("copilot-cli", "claude-code"),
  repository: fc.option(
    fc.constantFrom("acme/shop", "Acme/shop", "ACME/Shop", "host/acme/shop", "Host/acme/shop", "𝒜/b", "ﬀ/b"),
    { nil: undefined },
  ),
  workspace: fc.option(fc.constantFrom("/srv/shop", "acme/shop"), { nil: undefined }),
  createdAt: time,
  updatedAt: time,
  models: fc.uniqueArray(fc.constantFrom("gpt-5", "GPT-5", "o3")),
  isEmpty: fc.boolean(),
});

export const actions = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ does: fc.constant("write"), name: fc.constantFrom(...NAMES), rows, head: heads }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant("append"), name: fc.constantFrom(...NAMES), rows, head: heads }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("remove"), name: fc.constantFrom(...NAMES) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("lose"), name: fc.constantFrom(...NAMES) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant("break off"),
      name: fc.constantFrom(...NAMES),
      rows,
      head: heads,
    }),
  },
);
export type Action = typeof actions extends fc.Arbitrary<infer T> ? T : never;

/** A session with a turn at each of the times. */
export const EVERY_TIME: Action = {
  does: "write",
  name: "a",
  rows: { turns: TIMES.map((at) => ({ at, work: undefined })), calls: [], usage: [], files: [] },
  head: {
    ...{ source: "copilot-cli", repository: undefined, workspace: undefined, models: [], isEmpty: false },
    ...{ createdAt: undefined, updatedAt: undefined },
  },
};

/** Each in a transaction of its own, as the indexer would. */
export function carryOut(store: SessionStore, action: Action): void {
  store.begin();
  const { name } = action;
  if (action.does === "remove") store.remove(name);
  else if (action.does === "lose") store.setVanished(name, "2026-11-12T00:00:00.000Z");
  else if ("rows" in action) {
    const known = store.keyOf(name) !== undefined;
    const resumed = action.does === "append" && known ? store.resume(name) : undefined;
    const first = resumed ? (resumed.last?.index ?? -1) + 1 : 0;
    write(resumed?.rows ?? store.replace(name), action.rows, first);
    if (action.does === "break off") {
      store.rollback();
      return;
    }
    finish(store, name, action.head, first + action.rows.turns.length);
  }
  store.commit();
}

function write(into: RowSink, { turns, calls, usage, files }: Rows, first: number): void {
  for (const [i, { at, work }] of turns.entries())
    into.turn({
      ...{ index: first + i, user: "x", more: "" },
      ...(at !== undefined && { startedAt: at }),
      ...(work !== undefined && { work }),
    });
  for (const each of calls) into.toolCall({ ...each, subAgent: false });
  for (const { call, input, output, cached, cacheWritten, ...each } of usage)
    into.usage({
      ...each,
      ...(call !== undefined && { call }),
      ...(input !== undefined && { input }),
      ...(output !== undefined && { output }),
      ...(cached !== undefined && { cached }),
      ...(cacheWritten !== undefined && { cacheWritten }),
    });
  for (const each of files) into.file({ ...each, tool: "t" });
}

function finish(
  store: SessionStore,
  id: string,
  { isEmpty, ...head }: typeof heads extends fc.Arbitrary<infer T> ? T : never,
  turns: number,
): void {
  const { source, repository, workspace, createdAt, updatedAt, models } = head;
  store.finish(id, {
    session: {
      ...{ id, source, title: id, models, path: `/p/${id}`, bytes: 1, problems: 0 },
      // What says that it has none may be wrong.
      turns: isEmpty ? 0 : turns,
      ...(repository !== undefined && { repository }),
      ...(workspace !== undefined && { workspace }),
      ...(createdAt !== undefined && { createdAt }),
      ...(updatedAt !== undefined && { updatedAt }),
    },
    problems: [],
    mark: { fingerprint: { size: 1, mtimeMs: 1, ino: 1 } },
  });
}

export const scopes = fc.record(
  {
    filter: fc.record(
      {
        sources: fc.constantFrom(["claude-code"], ["copilot-cli", "claude-code"]),
        repository: fc.constantFrom("shop", "acme/shop"),
        workspace: fc.constant("/srv"),
        model: fc.constantFrom("gpt", "o3"),
        tool: fc.constant("bash"),
        file: fc.constant("src/"),
        tags: fc.constant(["release"]),
      },
      { requiredKeys: [] },
    ),
    since: fc.constantFrom(...TIMES),
    until: fc.constantFrom(...TIMES),
    cacheApart: fc.constantFrom([], ["claude-code"]),
  },
  { requiredKeys: ["filter", "cacheApart"] },
);
