/** Records nested deeper than any program can write: every source reads around them, says where, and changes none. */
import { describe, expect, it } from "vitest";
import type { Artifact, Event } from "../../src/model/session/session.ts";
import { MAX_DEPTH, TOO_DEEP } from "../../src/model/values/json.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import { rescueLog } from "../../src/sources/copilot-cli/edit/rescue/log.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { toText } from "../../src/sources/vscode/edit/copy/form.ts";
import { rescueFile } from "../../src/sources/vscode/edit/rescue/file.ts";
import * as cli from "../copilot-log.ts";
import * as vscode from "../vscode-log.ts";

const DEPTH = 20_000;
const deep = `${'{"a":['.repeat(DEPTH / 2)}"leaf"${"]}".repeat(DEPTH / 2)}`;
const tree = `${'{"children":['.repeat(DEPTH / 2)}{"text":"leaf"}${"]}".repeat(DEPTH / 2)}`;
/** The text of a value in which marks stand for what is nested deeply. */
const withDeep = (value: object): string =>
  JSON.stringify(value).replaceAll('"@deep"', deep).replaceAll('"@tree"', tree);

const CLAUDE = "c0000000-0000-4000-8000-000000000000";
const row = (uuid: string, parentUuid: string | null, more: object) => ({
  parentUuid,
  isSidechain: false,
  cwd: "/srv/shop",
  sessionId: CLAUDE,
  version: "2.0.0",
  uuid,
  timestamp: "2026-01-02T03:04:05.000Z",
  ...more,
});
const toolPart = { kind: "toolInvocationSerialized", toolCallId: "t1", toolId: "run", isComplete: true };

const CASES: Record<string, { path: string; root: string; log: string; line: number | undefined }> = {
  "copilot-cli": {
    path: cli.artifact.path,
    root: "/copilot",
    line: 3,
    log: cli.toLog(
      cli.start,
      cli.record("user.message", { content: "question" }),
      withDeep(
        cli.record("assistant.message", {
          messageId: "m",
          content: "answer",
          toolRequests: [{ toolCallId: "t1", name: "run", arguments: "@deep" }],
        }),
      ),
      cli.record("tool.execution_complete", {
        toolCallId: "t1",
        success: true,
        result: { content: "result" },
      }),
    ),
  },
  "claude-code": {
    path: `/claude/projects/-srv-shop/${CLAUDE}.jsonl`,
    root: "/claude",
    line: 2,
    log: [
      row("u1", null, { type: "user", message: { role: "user", content: "question" } }),
      row("u2", "u1", {
        type: "assistant",
        message: {
          id: "m",
          role: "assistant",
          model: "claude-x",
          content: [
            { type: "text", text: "answer" },
            { type: "tool_use", id: "t1", name: "run", input: "@deep" },
          ],
        },
      }),
      row("u3", "u2", {
        type: "user",
        message: { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "result" }] },
      }),
    ]
      .map((each) => `${withDeep(each)}\n`)
      .join(""),
  },
  vscode: {
    path: vscode.PATH,
    root: "/User",
    line: 1,
    log: `${withDeep({
      kind: 0,
      v: vscode.sessionOf(
        vscode.turn("question", [
          { value: "answer" },
          { ...toolPart, toolSpecificData: { kind: "input", rawInput: "@deep" } },
        ]),
        vscode.turn("second", [{ kind: "treeData", treeData: "@tree" }], {
          result: {
            metadata: {
              toolCallRounds: [
                { id: "r", response: "", toolCalls: [{ id: "t2", name: "look", arguments: deep }] },
              ],
              toolCallResults: { t2: { content: [{ $mid: 23, value: { node: "@tree" } }] } },
            },
          },
        }),
      ),
    })}\n`,
  },
};

const artifactOf = (source: string): Artifact => {
  const { path, root, log } = CASES[source] as (typeof CASES)[string];
  const id = /([^/]+?)(?:\/events)?\.jsonl$/.exec(path)?.[1] ?? "";
  return { source, id, root, path, fingerprint: { size: log.length, mtimeMs: 0, ino: 1 } };
};

describe.each(Object.entries(CASES))("%s", (source, { path, log, line }) => {
  const fs = createMemoryFs({ [path]: log });
  const catalog = openCatalog(SOURCES, { platform: "linux", homeDir: "/", vars: {} }, fs);

  it.each([false, true])("is read around it, skimming: %s", async (skim) => {
    const events: Event[] = [];
    const codes: string[] = [];
    const session = await catalog.read(
      artifactOf(source),
      {
        event: (event) => void events.push(event),
        problem: ({ code, line: at }) => void codes.push(`${code} ${at}`),
      },
      { skim },
    );
    expect(codes).toContain(`too-deep ${line}`);
    expect(codes.filter((code) => /unreadable|failed/.test(code))).toEqual([]);
    expect(session.turns).toBeGreaterThan(0);
    const told = JSON.stringify(events); // which would fail, had anything of it been left
    for (const words of ["question", "answer", "t1", TOO_DEEP]) expect(told).toContain(words);
  });

  it("is told to the model around it", async () => {
    const messages = await catalog.context(artifactOf(source));
    expect(JSON.stringify(messages)).toContain("question");
  });
});

it("shows arguments that are the text of something nested deeply as that text", async () => {
  const call = { toolCallId: "t1", name: "run", arguments: deep };
  const { events, problems } = await cli.readLog(
    cli.toLog(
      cli.start,
      cli.record("assistant.message", { messageId: "m", content: "", toolRequests: [call] }),
    ),
  );
  expect(events).toMatchObject([{ kind: "tool-call", input: deep }]);
  expect(problems.map(({ code }) => code)).toEqual(["call-unanswered"]);
});

it("reads what is within the limit as it is", async () => {
  // A record, its data, its list of calls and the call are levels, too.
  const input: unknown = JSON.parse(`${"[".repeat(MAX_DEPTH - 4)}1${"]".repeat(MAX_DEPTH - 4)}`);
  const call = { toolCallId: "t1", name: "run", arguments: input };
  const { events, problems } = await cli.readLog(
    cli.toLog(
      cli.start,
      cli.record("assistant.message", { messageId: "m", content: "", toolRequests: [call] }),
    ),
  );
  expect(JSON.stringify(events)).toContain(JSON.stringify(input));
  expect(problems.map(({ code }) => code)).not.toContain("too-deep");
});

describe("a rescue", () => {
  it("leaves the line of Copilot CLI alone", async () => {
    const { path, log } = CASES["copilot-cli"] as (typeof CASES)[string];
    const { repairs, pieces } = await rescueLog(createMemoryFs({ [path]: log }), artifactOf("copilot-cli"));
    expect(repairs).toEqual([]);
    expect(pieces.every((piece) => "file" in piece)).toBe(true);
  });

  it("mends such a record of Copilot CLI with all that is in it", async () => {
    const { path, log } = CASES["copilot-cli"] as (typeof CASES)[string];
    const broken = log.replace('"toolCallId":"t1"', '"toolCallId":5');
    const { pieces } = await rescueLog(createMemoryFs({ [path]: broken }), artifactOf("copilot-cli"));
    const text = pieces.map((piece) => ("text" in piece ? piece.text : "")).join("");
    expect(text).toContain(`"arguments":${deep}`);
    expect(text).toContain('"toolCallId":"5"');
  });

  it("writes a chat of VS Code again with all that is in it", async () => {
    const { path, log } = CASES.vscode as (typeof CASES)[string];
    const broken = log.replace('"responderUsername":"GitHub Copilot",', "");
    const rescue = await rescueFile(createMemoryFs({ [path]: broken }), {
      id: "s",
      path,
      folder: vscode.STORE,
    });
    expect(rescue.outcome).toBe("rewritten");
    const text = "state" in rescue && rescue.state ? toText(rescue.state, "jsonl") : "";
    expect(text).toContain(`"rawInput":${deep}`);
    expect(text).toContain(`"treeData":${tree}`);
  });
});
