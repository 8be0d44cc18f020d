/** The SDK's own client passes over every tool: what is listed, taken, answered within its budget, and refused. */

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromJsonSchema } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { App, Call } from "../../src/app/contract.ts";
import { STILL_COPYING } from "../../src/app/store/incomplete.ts";
import { loadTokenizer } from "../../src/app/tokens.ts";
import { AppError } from "../../src/model/errors.ts";
import { CITATION, startMcp, type TestMcp } from "./test-mcp.ts";

let mcp: TestMcp;
let cli: string;
const count = await loadTokenizer();

beforeAll(async () => {
  mcp = await startMcp({ canWrite: true });
  const { sessions } = await mcp.app.list({ sources: ["copilot-cli"] });
  const [longest] = sessions.toSorted((a, b) => b.turns - a.turns);
  cli = `copilot-cli:${longest?.id}`;
});
afterAll(() => mcp.close());

/** Of every tool that reads, a question with a long answer. */
const QUESTIONS: readonly (readonly [tool: string, input: () => object])[] = [
  ["search", () => ({ query: "test" })],
  ["read", () => ({ session: cli })],
  ["where", () => ({ file: "src" })],
  ["sessions", () => ({})],
  ["brief", () => ({ session: cli })],
  ["context", () => ({ session: cli })],
  ["standup", () => ({ since: "90d" })],
  ["blame", () => ({ file: join(mcp.folder, "data/demo/work/storefront/src/checkout/machine.ts") })],
  ["session_store_sql", () => ({ sql: "SELECT source, session, turn, prompt, answer FROM turn_overview" })],
];

const withoutMarks = (text: string): string => text.replaceAll(/(?<=history )\d{18}/g, "");

describe("the list of tools", () => {
  it("has what was promised, with the arguments that were promised", async () => {
    const { tools } = await mcp.client.listTools();
    const fields = tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties ?? {})]);
    expect(Object.fromEntries(fields)).toMatchObject({
      search: expect.arrayContaining(["query", "repo", "since", "until", "source", "role", "budget"]),
      read: ["session", "from", "to", "budget"],
      where: ["file", "error", "ref", "text", "budget"],
      sessions: expect.arrayContaining(["repo", "since", "budget"]),
      brief: ["session", "budget"],
      context: ["session", "budget"],
      session_store_sql: ["sql", "budget"],
      standup: ["since", "until", "repo", "budget"],
      blame: ["file", "line", "to", "budget"],
      board_get: ["repo", "branch", "name", "budget"],
      board_add: ["repo", "branch", "name", "content", "description", "apply", "budget"],
      board_prune: ["repo", "branch", "name", "unread", "apply", "budget"],
      plan: ["operation", "input", "budget"],
      apply: ["fingerprint", "budget"],
    });
    for (const { inputSchema, description, annotations } of tools) {
      // Compiles the schema, as clients do.
      const { validate } = fromJsonSchema(inputSchema as never)["~standard"];
      expect(await validate({ nonsense: 1 })).toHaveProperty("issues");
      expect(description?.length).toBeGreaterThan(60);
      expect(annotations?.openWorldHint).toBe(false);
    }
    for (const [name, input] of QUESTIONS) {
      const { inputSchema } = tools.find((tool) => tool.name === name) ?? {};
      const { validate } = fromJsonSchema(inputSchema as never)["~standard"];
      expect(await validate({ ...input(), budget: 500 })).toHaveProperty("value");
    }
    const writing = tools.filter(({ annotations }) => annotations?.readOnlyHint !== true);
    expect(writing.map(({ name }) => name)).toEqual(["board_add", "board_prune", "apply"]);
  });

  it("has nothing that changes sessions unless that is allowed", async () => {
    const reading = await startMcp();
    const { tools } = await reading.client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(
      [...QUESTIONS.map(([name]) => name), "board_get"].toSorted(),
    );
    await expect(
      reading.client.callTool({ name: "plan", arguments: { operation: "delete", input: { session: cli } } }),
    ).rejects.toThrow("--allow-write");
    await expect(reading.client.callTool({ name: "nonsense" })).rejects.toThrow('no tool "nonsense"');
    await reading.close();
  });
});

describe.each(QUESTIONS)("%s", (tool, input) => {
  it.each([100, 200, 500, 2000, 20_000])(
    "stays within %d tokens, cites, and says what it cut",
    async (budget) => {
      const text = await mcp.call(tool, { ...input(), budget });
      expect(count(text)).toBeLessThanOrEqual(budget);
      expect(text).toMatch(CITATION);
      const whole = await mcp.call(tool, { ...input(), budget: 50_000 });
      const isShorter = count(text) < count(whole) - 20;
      expect(isShorter || budget > 500).toBe(true);
      if (isShorter) expect(text).toMatch(/^(?:Cut|Shortened|More hits)\b.*/m);
      else expect(withoutMarks(text)).toBe(withoutMarks(whole));
    },
  );

  it("has 2000 tokens where none are named", async () => {
    const text = await mcp.call(tool, input());
    expect(count(text)).toBeLessThanOrEqual(2000);
    const named = await mcp.call(tool, { ...input(), budget: 2000 });
    expect(withoutMarks(named)).toBe(withoutMarks(text));
  });

  it.each([0, -1, 99, 1.5, 1e9, "2000", null])("refuses the budget %j by its name", async (budget) => {
    expect(await mcp.fail(tool, { ...input(), budget })).toMatch(/^Error \(usage\).*budget/);
  });

  it("refuses what it does not know, and what is missing, by its name", async () => {
    expect(await mcp.fail(tool, { ...input(), nonsense: 1 })).toMatch(/^Error \(usage\).*nonsense/);
    const { tools } = await mcp.client.listTools();
    const { required = [] } = tools.find(({ name }) => name === tool)?.inputSchema ?? {};
    for (const name of required)
      expect(await mcp.fail(tool, { ...input(), [name]: [] })).toMatch(new RegExp(`^Error.*${name}`));
  });
});

describe("what tools answer", () => {
  it("search tells what the turn says, and what followed", async () => {
    const text = await mcp.call("search", { query: "rate limiter closes the socket" });
    expect(text).toContain("counts them in a variable of the module");
    expect(text).toContain("Can you prove that before we fix it?");
    expect(await mcp.call("search", { query: "zzzqqq xyzzy" })).toMatch(/^Nothing was found/);
    expect(
      await mcp.call("search", { query: "login", repo: "storefront", since: "1y", role: "user" }),
    ).toMatch(CITATION);
    expect(await mcp.fail("search", { query: "login", since: "soon" })).toContain('"soon" is not a time');
    expect(await mcp.fail("search", { query: "login", ref: "soon" })).toContain("not a reference");
  });

  it("search says how to get more hits", async () => {
    const first = await mcp.call("search", { query: "test", limit: 2 });
    const next = /^More hits: search (\{.*\})$/m.exec(first)?.[1];
    const second = await mcp.call("search", JSON.parse(next ?? "{}"));
    const cited = (text: string): number => new Set(text.match(new RegExp(CITATION, "g"))).size;
    expect(cited(second)).toBeGreaterThan(cited(first));
  });

  it("read gives the turns that were asked for, and the call for the others works", async () => {
    const text = await mcp.call("read", { session: cli, from: 1, to: 5, budget: 300 });
    expect(text).toMatch(/ turn 1, /);
    expect(text).not.toMatch(/ turn 0, /);
    const call = /^Cut: .*To get them: read (\{.*\})$/m.exec(text)?.[1] ?? "{}";
    const next = JSON.parse(call);
    expect(await mcp.call("read", next)).toContain(` turn ${next.from}, `);
    expect(await mcp.call("read", { session: cli, from: 5000 })).toMatch(/^This session has no turn 5000/);
    expect(await mcp.fail("read", { session: cli, from: 3, to: 1 })).toContain("comes before");
    expect(await mcp.fail("read", { session: "no such session at all" })).toMatch(
      /^Error \(session-not-found\).*sessions \{\}/,
    );
  });

  it("where takes exactly one of its arguments", async () => {
    expect(await mcp.call("where", { ref: "#458" })).toMatch(CITATION);
    expect(await mcp.call("where", { text: "The server itself resets the connection" })).toMatch(CITATION);
    expect(await mcp.call("where", { error: "zzz qqq" })).toMatch(/^Nothing was found/);
    expect(await mcp.fail("where")).toContain("needs something to find");
    expect(await mcp.fail("where", { file: "a", text: "b" })).toContain("only one of");
  });

  it("session_store_sql only reads, and answers a mistake with the tables", async () => {
    expect(await mcp.call("session_store_sql", { sql: "SELECT count(*) AS n FROM sessions" })).toContain(
      "select source, session and turn to have rows cited",
    );
    expect(await mcp.fail("session_store_sql", { sql: "DELETE FROM sessions" })).toMatch(
      /^Error \(sql-refused\)/,
    );
    expect(await mcp.fail("session_store_sql", { sql: "SELECT nope FROM turns" })).toContain(
      "turn_overview(source, session, title",
    );
    const { description = "" } =
      (await mcp.client.listTools()).tools.find(({ name }) => name === "session_store_sql") ?? {};
    const { views, tables } = await mcp.app.schema();
    const known = [...views, ...tables].map(({ name }) => name);
    const [, told = ""] = /Views: (.*?)\. Rows are/.exec(description) ?? [];
    for (const name of told.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []) expect(known).toContain(name);
  });

  it("plan shows what would be done and writes nothing; apply does it once", async () => {
    const before = (await mcp.app.list({})).total;
    const handed = await mcp.call("plan", {
      operation: "handoff",
      input: { session: cli, to: "claude-code", workspace: tmpdir() },
    });
    expect(handed).toMatch(/"fidelity": \{\s*"native": \{\s*"prompts": \d/);
    const text = await mcp.call("plan", { operation: "fork", input: { session: cli, at: 0 } });
    expect(text).toMatch(/^Planned; nothing is written yet/);
    expect((await mcp.app.list({})).total).toBe(before);
    const input = JSON.parse(/apply (\{.*?\})/.exec(text)?.[1] ?? "{}");
    const done = await mcp.call("apply", input);
    expect(done).toMatch(/^Done\. To undo it: rethread undo [0-9a-f]{8}/);
    expect((await mcp.app.list({})).total).toBe(before + 1);
    expect(await mcp.fail("apply", input)).toMatch(/^Error \(plan-not-found\)/);
    expect(await mcp.fail("plan", { operation: "fork", input: { session: cli, with: "rm" } })).toMatch(
      /^Error \(usage\).*with/,
    );
    expect(await mcp.fail("plan", { operation: "nonsense", input: {} })).toMatch(
      /^Error \(usage\).*operation/,
    );
  });
});

describe("resources and prompts", () => {
  it("lists every session once, page by page, and reads one by its address", async () => {
    const { resources } = await mcp.client.listResources();
    const { total } = await mcp.app.list({});
    expect(new Set(resources.map(({ uri }) => uri)).size).toBe(total);
    const { contents } = await mcp.client.readResource({ uri: `rethread://session/${cli}` });
    const [content] = contents;
    const text = content && "text" in content ? content.text : "";
    expect(text).toContain("## Goal");
    expect(text).toMatch(/ turn 0, /);
    const part = await mcp.client.readResource({ uri: `rethread://session/${cli}?from=1&to=1` });
    expect(JSON.stringify(part)).toMatch(/ turn 1, /);
    expect(JSON.stringify(part)).not.toMatch(/ turn 0, /);
    expect((await mcp.client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: "rethread://session/{session}{?from,to,budget}" },
    ]);
  });

  it.each([
    "rethread://session/",
    "rethread://session/%",
    "rethread://other/x",
    "file:///etc/passwd",
    "rethread://session/x?from=-1",
    "rethread://session/x?nonsense=1",
    "rethread://session/no-such-session",
  ])("refuses to read %s", async (uri) => {
    await expect(mcp.client.readResource({ uri })).rejects.toThrow();
  });

  it("has prompts that name the tools to call, with what the person typed and nothing of the history", async () => {
    const { prompts } = await mcp.client.listPrompts();
    expect(prompts.map(({ name, arguments: fields }) => [name, fields?.[0]?.required])).toEqual([
      ["standup", false],
      ["recall", true],
    ]);
    const { messages } = await mcp.client.getPrompt({ name: "recall", arguments: { question: 'a "b"\nc' } });
    expect(JSON.stringify(messages)).toContain("Call search");
    expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining('"a \\"b\\"\\nc"') });
    const standup = await mcp.client.getPrompt({ name: "standup", arguments: { since: "3d" } });
    expect(JSON.stringify(standup.messages)).toContain("3d");
    await expect(mcp.client.getPrompt({ name: "recall", arguments: {} })).rejects.toThrow("question");
    await expect(mcp.client.getPrompt({ name: "nonsense" })).rejects.toThrow("nonsense");
  });
});

describe("while a call is under way", () => {
  it("progress only grows, and ends where it said", async () => {
    const fresh = await startMcp();
    const seen: { progress: number; total?: number | undefined }[] = [];
    await fresh.client.callTool(
      { name: "search", arguments: { query: "test" } },
      { onprogress: (progress) => void seen.push(progress) },
    );
    expect(seen.length).toBeGreaterThan(2);
    for (const [at, { progress }] of seen.entries())
      expect(progress).toBeGreaterThan(seen[at - 1]?.progress ?? -1);
    await fresh.close();
  });

  it("errors name calls of tools as the next step, not commands", async () => {
    const agents = join(mcp.folder, "data/demo/work/storefront/AGENTS.md");
    const plan = await mcp.call("plan", { operation: "improve", input: { findings: ["bf615b9d"] } });
    writeFileSync(agents, "# Mine, meanwhile\n");
    const fingerprint = /"fingerprint":"(\w+)"/.exec(plan)?.[1];
    const errors = [
      await mcp.fail("apply", { fingerprint }),
      await mcp.fail("blame", { file: `${agents}.none` }),
      await mcp.fail("board_prune", { repo: "lumen-shop/storefront" }),
    ];
    rmSync(agents);
    expect(errors.map((text) => text.split("\n")[0])).toEqual([
      "Error (session-changed): the session, or another file to change, is not as the plan found it. Call plan again",
      "Error (file-not-found): there is no such file. See where it was touched: where with its name as file",
      "Error (usage): Nothing says which items are to be removed. Give name, or unread as true",
    ]);
    for (const text of errors) expect(text).not.toMatch(/Run the command|rethread blame|--unread/);
  });

  it("an answer from a store that is not complete yet says so, with or without history in it", async () => {
    const wrap = (app: App): App => ({
      ...app,
      async refresh(call = {}) {
        await app.refresh(call);
        call.onNotice?.(STILL_COPYING);
        call.onNotice?.("Some other notice");
      },
    });
    const slow = await startMcp({ wrap });
    for (const [tool, input] of [
      ["sessions", {}],
      ["search", { query: "zzqqxx" }],
    ] as const) {
      const text = await slow.call(tool, input);
      expect(text.endsWith(`Incomplete: ${STILL_COPYING}.`), text).toBe(true);
      expect(text).not.toContain("Some other notice");
      expect(count(await slow.call(tool, { ...input, budget: 100 }))).toBeLessThanOrEqual(100);
    }
    await slow.close();
  });

  it("a cancelled call is stopped, and the next one is answered", async () => {
    const heard = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const wrap = (app: App): App => ({
      ...app,
      context: (_, { signal }: Call = {}) =>
        new Promise((_, reject) => {
          heard.resolve();
          signal?.addEventListener("abort", () => {
            stopped.resolve();
            reject(new AppError("aborted", "Stopped", "Ask again"));
          });
        }),
    });
    const slow = await startMcp({ wrap });
    const control = new AbortController();
    const call = slow.client.callTool(
      { name: "context", arguments: { session: "latest" } },
      { signal: control.signal },
    );
    await heard.promise;
    control.abort();
    await expect(call).rejects.toThrow();
    await stopped.promise;
    expect(await slow.call("sessions")).toMatch(CITATION);
    await slow.close();
  });
});

describe("blame", () => {
  it("knows a key over several lines for a secret, whichever of them are asked for", async () => {
    const file = join(mcp.folder, "data/demo/work/storefront/src/key.ts");
    const lines = Array.from(
      { length: 12 },
      (_, at) => `MIIEv${at}Q7Rt2Yx9kLmZ3pWc5Vb8Nd1FgHs6JaQeRtYuIoPzXcVbNm0Kl`,
    );
    writeFileSync(
      file,
      ["-----BEGIN PRIVATE KEY-----", ...lines, "-----END PRIVATE KEY-----", ""].join("\n"),
    );
    for (const range of [{}, { line: 2 }, { line: 3, to: 9 }, { line: 5, to: 14 }]) {
      const text = await mcp.call("blame", { file, ...range });
      for (const each of lines) expect(text).not.toContain(each.slice(8, 40));
    }
  });
});

describe("wording", () => {
  const outside = (text: string): string => text.replaceAll(/\[history \d+\][\s\S]*?\[\/history \d+\]/g, "");

  it.each([...QUESTIONS, ["board_get", () => ({ repo: "lumen-shop/storefront" })] as const])(
    "of %s has no value that is missing, and counts one as one",
    async (tool, input) => {
      for (const budget of [100, 150, 250, 400, 2000, 20_000]) {
        const text = await mcp.call(tool, { ...input(), budget });
        expect(outside(text)).not.toMatch(/\b(?:null|undefined|NaN)\b|\[object/);
        expect(outside(text)).not.toMatch(
          /(?<![\d.,])1 (?:sessions|turns|messages|tokens|rows|items|lines|hits|places|branches|runs)\b|\b1 (?:of \d+ \w+ )?are shown/,
        );
      }
    },
  );

  it("of items that Copilot CLI keeps has no time, since it notes none", async () => {
    const { items } = await (await mcp.app.board()).list({ all: true });
    const theirs = items.filter(({ keptBy }) => keptBy !== "rethread");
    expect(theirs.length).toBeGreaterThan(0);
    for (const { repository, branch, name } of theirs) {
      const text = await mcp.call("board_get", { repo: repository, branch, name });
      expect(text).toContain(`${name} (${repository}`);
      expect(text).not.toMatch(/by \S+, (?:null|undefined)|\bnull\b/);
    }
  });

  it("of one session counts one", async () => {
    const one = await startMcp({
      vars: (folder) => ({ COPILOT_HOME: join(folder, "copilot") }),
      prepare(folder) {
        const place = join(folder, "copilot/session-state/one");
        mkdirSync(place, { recursive: true });
        const line = { type: "user.message", data: { content: "hello needle" }, id: "a" };
        writeFileSync(
          join(place, "events.jsonl"),
          `${JSON.stringify({ ...line, timestamp: "2026-11-01T09:00:00.000Z" })}\n`,
        );
      },
    });
    const told = [
      await one.call("standup", { since: "2026-10-01" }),
      await one.call("brief", { session: "one" }),
      await one.call("context", { session: "one" }),
      await one.call("read", { session: "one" }),
      await one.call("sessions"),
      await one.call("search", { query: "needle" }),
      await one.call("where", { text: "needle" }),
      await one.call("session_store_sql", { sql: "SELECT 1" }),
    ].map((text) => text.split("\n")[0]);
    expect(told).toEqual([
      "1 session with 1 turn since 2026-10-01, by repository and branch.",
      "A briefing made from the log of this session (1 turn).",
      expect.stringMatching(/^On resume the model would receive 1 message, \d+ tokens\./),
      "Turn 0 of 1 in this session.",
      "1 session, most recently active first; each is cited with its last turn.",
      "2 hits in 1 session, best first.",
      "2 places.",
      expect.stringMatching(/^1 row, /),
    ]);
    await one.close();
  });
});

describe("the board", () => {
  it("is read, written and pruned; what is to go is shown first", async () => {
    const place = { repo: "lumen-shop/storefront" };
    const added = { ...place, name: "rounding", content: "Round once, at the end." };
    const planned = await mcp.call("board_add", added);
    expect(planned).toMatch(
      /^Would add this; nothing is written yet\. To do it: board_add \{.*"apply":true\}/,
    );
    expect(planned).toContain("rounding (lumen-shop/storefront");
    expect(await mcp.fail("board_get", { ...place, name: "rounding" })).toContain("rounding");
    expect(await mcp.call("board_add", { ...added, apply: true })).toMatch(/^Added\. To undo it: /);
    expect(await mcp.fail("board_add", added)).toContain("board-item-exists");
    expect(await mcp.call("board_get", { ...place, name: "rounding" })).toContain("Round once, at the end.");
    const shown = await mcp.call("board_prune", { ...place, name: "rounding" });
    expect(shown).toMatch(/^Would remove 1\. To do it: board_prune .*"apply":true/);
    expect(await mcp.call("board_get", { ...place, name: "rounding" })).toContain("Round once");
    expect(await mcp.call("board_prune", { ...place, name: "rounding", apply: true })).toMatch(
      /^Removed 1\. To undo it: rethread undo /,
    );
    expect(await mcp.fail("board_get", { ...place, name: "rounding" })).toContain("rounding");
  });

  it("takes no secret", async () => {
    const key = ["ghp", "x9Kq3ZtB7mWc5RvD1nYf8LsGh2JpTe6UaQoi"].join("_");
    const refused = await mcp.fail("board_add", { name: "key", content: `token ${key}`, repo: "a/b" });
    expect(refused).not.toContain(key);
  });
});
