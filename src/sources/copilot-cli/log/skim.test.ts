import { describe, expect, it } from "vitest";
import { artifact, readFrom, readLog, record, start, toLog } from "../../../../test/copilot-log.ts";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";

describe("skimming a Copilot CLI log", () => {
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
});

describe("skimming an answer", () => {
  const call = { toolCallId: "t1", name: "bash", arguments: { command: "ls" }, type: "function" };
  const answerWith = (more: object, envelope: object = {}): string =>
    JSON.stringify(
      record(
        "assistant.message",
        {
          ...{ messageId: "m", model: "gpt-5.4", content: "Here", toolRequests: [call] },
          ...{ interactionId: "i", turnId: "0", reasoningOpaque: "x".repeat(2000), ...more },
        },
        envelope,
      ),
    );
  const eventsOf = async (line: string, skim: boolean) =>
    (await readLog(toLog(start, line), {}, { skim })).events;

  it.each([
    ["as usual", answerWith({})],
    ["of a sub-agent", answerWith({ parentToolCallId: "t9" })],
    ["of a named sub-agent", answerWith({}, { agentId: "a" })],
    ["that is not kept", answerWith({}, { ephemeral: true })],
    ["with an object behind its calls", answerWith({ more: { a: 1 } })],
    [
      "with the same end inside of a call",
      answerWith({ toolRequests: [{ ...call, arguments: { a: [1], interactionId: "j" } }] }),
    ],
    ["with the same words in its text", answerWith({ content: '],"interactionId":"' })],
    ["without an id behind its calls", answerWith({ interactionId: undefined })],
  ])("tells of one %s what parsing all of it tells", async (_, line) => {
    expect(await eventsOf(line, true)).toEqual(await eventsOf(line, false));
  });

  it("does not parse the reasoning behind its calls, and notices damage before it", async () => {
    const problemsOf = async (line: string, skim: boolean) =>
      (await readLog(toLog(start, line), {}, { skim })).problems.filter(
        ({ code }) => code !== "call-unanswered",
      );
    const behind = answerWith({}).replace("xxxx", 'x"x');
    const before = answerWith({}).replace("Here", 'He"re');
    expect(await problemsOf(behind, true)).toEqual([]);
    expect(await problemsOf(behind, false)).toMatchObject([{ code: "record-unreadable" }]);
    expect(await problemsOf(before, true)).toMatchObject([{ code: "record-unreadable" }]);
  });
});
