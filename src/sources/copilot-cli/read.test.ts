import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Problem } from "../../model/problem.ts";
import type { Artifact, Event } from "../../model/session.ts";
import { toTurns } from "../../model/turns.ts";
import { localFs } from "../../platform/local-fs.ts";
import { createMemoryFs } from "../../platform/memory-fs.ts";
import type { SessionFs } from "../../platform/session-fs.ts";
import type { ReadOptions } from "../source.ts";
import { read } from "./read.ts";

const ID = "0b6e2c1a-0000-4000-8000-000000000000";
const FOLDER = `/copilot/session-state/${ID}`;
const TIME = "2026-01-02T03:04:05.000Z";

const artifact: Artifact = {
  source: "copilot-cli",
  id: ID,
  root: "/copilot",
  path: `${FOLDER}/events.jsonl`,
  fingerprint: { size: 1234, mtimeMs: 0, ino: 1 },
};

let count = 0;
const record = (type: string, data: object, more: object = {}) => ({
  type,
  data,
  ...more,
  id: `${(++count).toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`,
  timestamp: TIME,
  parentId: null,
});
const start = record("session.start", {
  sessionId: ID,
  version: 1,
  producer: "copilot-agent",
  copilotVersion: "1.0.102",
  startTime: "2026-01-02T03:04:04.000Z",
  context: { cwd: "/srv/shop" },
});

const toLog = (...lines: (object | string)[]): string =>
  lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");

async function readLog(log: string | Buffer, files: Record<string, string> = {}, options: ReadOptions = {}) {
  const named = Object.entries(files).map(([name, text]) => [`${FOLDER}/${name}`, text]);
  const fs = createMemoryFs({ [artifact.path]: log, ...Object.fromEntries(named) });
  return readFrom(fs, options);
}

async function readFrom(fs: SessionFs, options: ReadOptions = {}, from: Artifact = artifact) {
  const events: Event[] = [];
  const problems: Problem[] = [];
  const sink = {
    event: (it: Event) => void events.push(it),
    problem: (it: Problem) => void problems.push(it),
  };
  const session = await read(fs, from, sink, options);
  return { session, events, problems };
}

describe("reading a Copilot CLI log", () => {
  it("gathers the head from the log and from workspace.yaml", async () => {
    const log = toLog(
      start,
      record("user.message", { content: "Fix the cart\nplease" }),
      record("assistant.message", { messageId: "m", content: "Done.", model: "gpt-5.4" }),
    );
    const yaml =
      "cwd: /srv/shop\nrepository: lumen/shop\nbranch: 1.0\nname: 'Cart: \"fixed\"'\nsummary_count: 0\n";

    const { session, problems } = await readLog(log, { "workspace.yaml": yaml });

    expect(session).toEqual({
      source: "copilot-cli",
      id: ID,
      title: 'Cart: "fixed"',
      workspace: "/srv/shop",
      repository: "lumen/shop",
      branch: "1.0",
      createdAt: "2026-01-02T03:04:04.000Z",
      updatedAt: TIME,
      turns: 1,
      problems: 0,
      models: ["gpt-5.4"],
      path: artifact.path,
      bytes: 1234,
      producer: "1.0.102",
      resume: `copilot --resume ${ID}`,
    });
    expect(problems).toEqual([]);
  });

  it("takes title and folder from the log when workspace.yaml is missing or broken", async () => {
    const log = toLog(start, record("user.message", { content: "Fix the cart\nplease" }));
    const missing = await readLog(log);
    const broken = await readLog(log, { "workspace.yaml": "cwd: [unclosed\n  : :" });

    expect(missing.session).toMatchObject({ title: "Fix the cart", workspace: "/srv/shop" });
    expect(missing.problems).toEqual([]);
    expect(broken.session).toMatchObject({ title: "Fix the cart", problems: 1 });
    expect(broken.problems).toMatchObject([{ code: "sidecar-unreadable", path: `${FOLDER}/workspace.yaml` }]);
  });

  it("takes null and nothing in workspace.yaml for absent, and everything else for text", async () => {
    const log = toLog(start, record("user.message", { content: "Fix the cart" }));
    const read = async (yaml: string): Promise<unknown[]> => {
      const { title, workspace, repository, branch } = (await readLog(log, { "workspace.yaml": yaml }))
        .session;
      return [title, workspace, repository, branch];
    };
    const absent = ["Fix the cart", "/srv/shop", undefined, undefined];
    expect(await read("name: null\ncwd: ~\nrepository: null\nbranch: ''\n")).toEqual(absent);
    expect(await read("name:\ncwd: ' '\nrepository:\nbranch: NULL\n")).toEqual(absent);
    expect(await read("name: 123\ncwd: '~'\nrepository: yes\nbranch: 1.10\n")).toEqual([
      "123",
      "~",
      "yes",
      "1.10",
    ]);
    expect(await read("name: 2026-01-01\ncwd: 0x1F\nrepository: True\nbranch: 'null'\n")).toEqual([
      "2026-01-01",
      "0x1F",
      "True",
      "null",
    ]);
  });

  it("gives thoughts, text and calls of one answer in order, and results with their edits", async () => {
    const log = toLog(
      start,
      record("user.message", { content: "Go" }),
      record("assistant.message", {
        messageId: "m",
        content: "I will.",
        reasoningText: "Hm.",
        toolRequests: [
          { toolCallId: "t1", name: "edit", arguments: '{"path":"/srv/a"}', intentionSummary: "edit a" },
          { toolCallId: "t2", name: "bash", arguments: { command: "false" } },
        ],
      }),
      record("tool.execution_complete", {
        toolCallId: "t1",
        success: true,
        result: { content: "edited" },
        fileEdits: [{ path: "/srv/a", kind: "edit" }],
        toolTelemetry: { metrics: { linesAdded: 2, linesRemoved: 1 } },
      }),
      record("tool.execution_complete", {
        toolCallId: "t2",
        success: true,
        shellExecution: { exitCode: 1 },
        result: { content: "no" },
      }),
    );

    const { events } = await readLog(log);

    const told = events.map(({ origin, time: _, id: __, ...rest }) => ({
      line: origin.line,
      at: origin.at,
      ...rest,
    }));
    expect(told).toEqual([
      { line: 2, kind: "prompt", text: "Go" },
      { line: 3, kind: "thinking", text: "Hm." },
      { line: 3, kind: "text", text: "I will." },
      {
        line: 3,
        at: ["data", "toolRequests", 0],
        kind: "tool-call",
        callId: "t1",
        name: "edit",
        input: { path: "/srv/a" },
        label: "edit a",
      },
      {
        line: 3,
        at: ["data", "toolRequests", 1],
        kind: "tool-call",
        callId: "t2",
        name: "bash",
        input: { command: "false" },
      },
      { line: 4, kind: "tool-result", callId: "t1", status: "ok", text: "edited" },
      { line: 4, at: ["data", "fileEdits", 0], kind: "edit", path: "/srv/a", added: 2, removed: 1 },
      { line: 5, kind: "tool-result", callId: "t2", status: "failed", text: "no", exitCode: 1 },
    ]);
  });

  it("hangs the work of a sub-agent on the call that started it", async () => {
    const agent = { agentId: "agent-1" };
    const log = toLog(
      start,
      record("user.message", { content: "Delegate" }),
      record("assistant.message", {
        messageId: "m",
        content: "",
        toolRequests: [{ toolCallId: "t1", name: "task" }],
      }),
      record(
        "subagent.started",
        { toolCallId: "t1", agentName: "a", agentDisplayName: "A", agentDescription: "" },
        agent,
      ),
      record("user.message", { content: "Look" }, agent),
      record("assistant.message", { messageId: "n", content: "Found." }, agent),
      record("tool.execution_complete", { toolCallId: "t1", success: true, result: { content: "Found." } }),
    );

    const { session, events } = await readLog(log);

    expect(session.turns).toBe(1);
    expect(events.filter((event) => event.agent === "t1").map(({ kind }) => kind)).toEqual([
      "prompt",
      "text",
    ]);
  });

  it("keeps the beginning of long results, and says how much is missing", async () => {
    const log = toLog(
      start,
      record("assistant.message", {
        messageId: "m",
        content: "",
        toolRequests: [{ toolCallId: "t1", name: "bash" }],
      }),
      record("tool.execution_complete", {
        toolCallId: "t1",
        success: true,
        result: { content: "x".repeat(100) },
      }),
    );
    const { events } = await readLog(log, {}, { textLimit: 30 });
    expect(events.at(-1)).toMatchObject({ kind: "tool-result", text: "x".repeat(30), cut: 70 });
  });

  it("shrinks a huge line instead of holding it, and still counts its turn", async () => {
    const root = mkdtempSync(join(tmpdir(), "rethread-read-"));
    try {
      const path = join(root, "events.jsonl");
      writeFileSync(
        path,
        toLog(start, record("user.message", { content: `Explain ${"x".repeat(9 << 20)}` })),
      );
      const { session, events, problems } = await readFrom(localFs, {}, { ...artifact, path });
      expect(session.turns).toBe(1);
      expect(events[0]).toMatchObject({ kind: "prompt", text: expect.stringMatching(/^Explain x{1000}/) });
      expect(events[0]?.cut).toBeGreaterThan(8 << 20);
      expect(problems).toMatchObject([
        { code: "too-large", line: 2, message: "a record of 9 MB; its text was cut" },
      ]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

  it("when skimming, leaves bulky records unparsed only if both their ends are sound", async () => {
    const prompt = record("system.message", { role: "system", content: "y".repeat(3000) });
    const sound = JSON.stringify(prompt);
    const open = `${sound.slice(0, 2000)}\n`;
    const { parentId: _, ...orphan } = prompt;
    const skim = async (line: object | string) =>
      (await readLog(toLog(start, line), {}, { skim: true })).problems;

    expect(await skim(sound)).toEqual([]);
    expect(await skim(open)).toMatchObject([{ code: "record-unreadable", line: 2 }]);
    expect(await skim(orphan)).toMatchObject([{ code: "record-invalid", line: 2 }]);
  });

  it("when skimming, tells of a long result what it tells when it parses, as far as the limit goes", async () => {
    const content = `naïve "quoted" \\ line\n${"ü\t".repeat(3000)}`;
    const call = { toolCallId: "t1", name: "bash", arguments: { command: "ls" }, type: "function" };
    const logWith = (more: object, envelope: object = {}) =>
      toLog(
        start,
        record("assistant.message", { messageId: "m", content: "", toolRequests: [call] }),
        record(
          "tool.execution_complete",
          { toolCallId: "t1", ...more, success: true, result: { content } },
          envelope,
        ),
      );
    for (const log of [
      logWith({ turnId: "0" }),
      logWith({ shellExecution: { exitCode: 1 } }),
      logWith({ fileEdits: [{ path: "/a" }] }),
      logWith({ turnId: "0" }, { agentId: 'agent "7"' }),
    ])
      for (const textLimit of [10, 21, 500, 501, 502, 503]) {
        const whole = (await readLog(log, {}, { textLimit })).events;
        const skimmed = (await readLog(log, {}, { textLimit, skim: true })).events;
        expect(skimmed.map(({ kind }) => kind)).toEqual(whole.map(({ kind }) => kind));
        for (const [i, event] of skimmed.entries()) {
          if (event.kind !== "tool-result") expect(event).toEqual(whole[i]);
          else {
            const { text, cut, ...rest } = event;
            expect(whole[i]).toMatchObject(rest);
            expect(content.startsWith(text)).toBe(true);
            expect(text.length).toBeGreaterThan(Math.min(textLimit, 256) - 1);
            expect(cut).toBeGreaterThan(0);
          }
        }
      }
  });

  it("notices damage in the middle of a bulky record, unless told to skim", async () => {
    const sound = JSON.stringify(record("system.message", { role: "system", content: "y".repeat(3000) }));
    const log = toLog(start, `${sound.slice(0, 1500)}"\0"${sound.slice(1500)}`);

    expect((await readLog(log)).problems).toMatchObject([{ code: "record-unreadable", line: 2 }]);
    expect((await readLog(log, {}, { skim: true })).problems).toEqual([]);
  });

  it("is not led astray by types that are names of something else", async () => {
    const lines = ["constructor", "__proto__", "toString"].map((type) =>
      JSON.stringify(record(type, { a: "ÿ" })),
    );
    const log = Buffer.concat([Buffer.from(toLog(start, ...lines)), Buffer.from(toLog(...lines), "latin1")]);
    const { events, problems } = await readLog(log);
    expect(events).toEqual([]);
    expect(problems.map(({ code }) => code)).toEqual([
      ...Array(3).fill("record-unknown"),
      ...Array(3).fill("record-encoding"),
    ]);
  });

  it("names the fork's parent, even when its title holds quotes", async () => {
    const message = 'Forked from "The \\"first\\" cart" (abc-1) before event x as "Second" (def-2).';
    const { session, events } = await readLog(
      toLog(start, record("session.info", { infoType: "fork", message })),
    );
    expect(session.parent).toEqual({ id: "abc-1", kind: "fork", title: 'The "first" cart' });
    expect(events).toMatchObject([{ kind: "notice", level: "info" }]);
  });

  it("takes a checkpoint's title from its summary, else from the index beside the log", async () => {
    const done = (summaryContent: string, checkpointNumber: number) =>
      record("session.compaction_complete", { success: true, summaryContent, checkpointNumber });
    const log = toLog(start, done("One.<checkpoint_title>In the log</checkpoint_title>", 1), done("Two.", 2));
    const files = {
      "workspace.yaml": "summary_count: 2\n",
      "checkpoints/index.md":
        "| # | Title | File |\n| 1 | Not this | 001.md |\n| 2 | In the index | 002.md |\n",
    };
    const { events } = await readLog(log, files);
    expect(events).toMatchObject([
      { kind: "compaction", summary: "One.", title: "In the log", checkpoint: 1 },
      { kind: "compaction", summary: "Two.", title: "In the index", checkpoint: 2 },
    ]);
  });

  it("says who has the session open, and leaves its running calls in peace", async () => {
    const log = toLog(
      start,
      record("assistant.message", {
        messageId: "m",
        content: "",
        toolRequests: [{ toolCallId: "t1", name: "bash" }],
      }),
    );
    const open = await readLog(log, { [`inuse.${process.pid}.lock`]: `${process.pid}\n` });
    const closed = await readLog(log, { "inuse.99999999.lock": "99999999\n" });

    expect(open.session.openIn).toBe(process.pid);
    expect(open.problems).toEqual([]);
    expect(closed.session.openIn).toBeUndefined();
    expect(closed.problems).toMatchObject([{ code: "call-unanswered", line: 2 }]);

    const lock = { [`inuse.${process.pid}.lock`]: `${process.pid}\n` };
    expect((await readLog(log, lock, { skim: true })).problems).toEqual([]);
    expect((await readLog(log, {}, { skim: true })).problems).toMatchObject([{ code: "call-unanswered" }]);
  });

  it("when skimming, lists the session's folder only if a call is open", async () => {
    const fs = createMemoryFs({ [artifact.path]: toLog(start, record("user.message", { content: "Go" })) });
    let listed = 0;
    const counting: SessionFs = {
      ...fs,
      readdir(path) {
        listed++;
        return fs.readdir(path);
      },
    };
    await readFrom(counting, { skim: true });
    expect(listed).toBe(0);
  });

  it("reports a log that cannot be opened, and an empty one", async () => {
    const gone = await readFrom(createMemoryFs({}));
    expect(gone.problems).toMatchObject([{ code: "session-unreadable", path: artifact.path, session: ID }]);
    expect((await readLog("\n\n")).problems).toMatchObject([{ code: "session-empty" }]);
  });

  it("knows that an early version's flat file cannot be resumed any more", async () => {
    const flat = { ...artifact, path: `/copilot/session-state/${ID}.jsonl` };
    const fs = createMemoryFs({ [flat.path]: toLog(start, record("user.message", { content: "Old" })) });
    const { session, problems } = await readFrom(fs, {}, flat);
    expect(session).toMatchObject({ title: "Old", turns: 1, problems: 1 });
    expect(session.resume).toBeUndefined();
    expect(problems).toMatchObject([{ code: "session-hidden", path: flat.path }]);
  });

  it("does not take a defect of its caller for a damaged session", async () => {
    const fs = createMemoryFs({ [artifact.path]: toLog(start, record("user.message", { content: "Hi" })) });
    const sink = {
      event: () => {
        throw new Error("a defect");
      },
      problem: () => undefined,
    };
    await expect(read(fs, artifact, sink)).rejects.toThrow("a defect");
  });

  it("keeps a blank prompt from making a turn, unless something is attached to it", async () => {
    const attachments = [{ type: "file", path: "/srv/a.txt", displayName: "a.txt" }];
    const log = toLog(
      start,
      record("user.message", { content: "  " }),
      record("user.message", { content: "", attachments }),
    );
    const { session, events } = await readLog(log);
    expect(session.turns).toBe(1);
    expect(toTurns(events)).toHaveLength(1);
    expect(events).toMatchObject([
      { kind: "prompt", text: "  " },
      { kind: "prompt", text: "", attachments: [{ kind: "file", name: "a.txt", path: "/srv/a.txt" }] },
    ]);
  });
});
