/** A log kept with the library's event writer, judged by the real Copilot CLI: it is resumed, and gone on with. */
import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { localFs } from "../../src/platform/fs/local.ts";
import { diagnose } from "../../src/query/doctor.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import type { NewEvent } from "../../src/sources/copilot-cli/event-writer/event.ts";
import { readEvents } from "../../src/sources/copilot-cli/event-writer/read-events.ts";
import { replay } from "../../src/sources/copilot-cli/event-writer/state.ts";
import { createEventWriter } from "../../src/sources/copilot-cli/event-writer/writer.ts";
import copilotCli from "../../src/sources/copilot-cli/index.ts";
import { eventTypes } from "../../src/sources/copilot-cli/log/event-types.ts";
import { createFailingFs } from "../failing-fs.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import type { SentMessage } from "./openai.ts";

const ID = "5e551017-0000-4000-8000-00000000000a";
let copilot: Copilot;
beforeAll(async () => {
  copilot = await startCopilot();
});
afterAll(() => copilot.close());

const folder = (): string => join(copilot.home, "session-state", ID);
const stateNow = async () => replay((await readEvents(localFs, folder())).events);
const sentBy = async (): Promise<SentMessage[]> =>
  (await stateNow()).messages.map(({ role, text, toolCalls, toolCallId }) => ({
    role,
    text,
    ...(toolCalls && { toolCalls: [...toolCalls] }),
    ...(toolCallId !== undefined && { toolCallId }),
  }));

async function keep(events: readonly NewEvent[], fates: number[] = []): Promise<void> {
  const { fs } = createFailingFs(localFs, fates);
  const writer = await createEventWriter({ fs, folder: folder(), onFailure: () => undefined });
  for (const event of events) await writer.write(event);
  await writer.close();
}

const answer = (content: string, ...toolRequests: object[]): NewEvent => ({
  type: "assistant.message",
  data: { messageId: createHash("sha256").update(content).digest("hex"), content, toolRequests },
});

describe("a log kept by an application", () => {
  it("is resumed with the messages that its replay tells", async () => {
    const startTime = "2026-03-04T08:00:00.000Z";
    const data = { sessionId: ID, version: 1, producer: "app", copilotVersion: "1.0.102", startTime };
    const call = { toolCallId: "t1", name: "bash", arguments: { command: "cat log" }, type: "function" };
    const events: NewEvent[] = [
      { type: "session.start", data },
      { type: "user.message", data: { content: "Why? — 好的 🚀" } },
      { type: "assistant.message_delta", data: { messageId: "m", deltaContent: "I" } },
      answer("I will look.", call),
      {
        type: "tool.execution_start",
        data: { toolCallId: "t1", toolName: "bash", arguments: call.arguments },
      },
      {
        type: "tool.execution_complete",
        data: { toolCallId: "t1", success: true, result: { content: "line\n".repeat(9000) } },
      },
      { type: "app.note", data: { text: "of a kind that Copilot CLI has never heard of" } },
      answer("It rounds twice."),
    ];
    await keep(events, [0.4, 0.7]); // and the disk fails twice, half-way
    const { messages, code, stderr } = await copilot.resume(ID);
    expect([code, stderr]).toEqual([0, ""]);
    expect(messages).toEqual(await sentBy());
    expect(messages?.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  it("is gone on with after the real program has gone on with it, and after a crash half-way", async () => {
    expect((await copilot.prompt(ID, "Mend it")).code).toBe(0);
    await localFs.append(copilot.log(ID), '{"type":"user.message","data":{"content":"half a rec');
    await keep([
      { type: "session.resume", data: { resumeTime: new Date().toISOString(), eventCount: 12 } },
      { type: "user.message", data: { content: "And test it" } },
      answer("Tested."),
    ]);
    const { messages, code } = await copilot.resume(ID);
    expect(code).toBe(0);
    expect(messages).toEqual(await sentBy());
    const { turns, problems } = await stateNow();
    expect(turns.map(({ user }) => user)).toEqual(["Why? — 好的 🚀", "Mend it", "And test it"]);
    expect(problems.map(({ message }) => message)).toEqual(['unknown event type "app.note"']);
  });
});

it("with its plan, files and checkpoints leaves nothing for doctor to say, and is resumed", async () => {
  const id = "5e551017-0000-4000-8000-00000000000b";
  const at = join(copilot.home, "session-state", id);
  const writer = await createEventWriter({ fs: localFs, folder: at, onFailure: () => undefined });
  const startTime = "2026-03-04T08:00:00.000Z";
  const context = { cwd: copilot.workspace };
  const data = { sessionId: id, version: 1, producer: "app", copilotVersion: "1.0.102", startTime, context };
  const summaryContent =
    "<overview>It rounds twice.</overview>\n<checkpoint_title>Rounding in the cart</checkpoint_title>";
  await writer.write({ type: "session.start", data });
  await writer.write({ type: "user.message", data: { content: "Why is it wrong?" } });
  await writer.write(answer("It rounds twice."));
  await writer.plan("- [ ] round once");
  await writer.file("notes.md", "cents");
  await writer.write({ type: "session.compaction_complete", data: { success: true, summaryContent } });
  await writer.write({ type: "user.message", data: { content: "Go on" } });
  await writer.write(answer("Done."));
  await writer.close();

  const env = { platform: process.platform, homeDir: at, vars: { COPILOT_HOME: copilot.home } };
  const { problems } = await diagnose(openCatalog([copilotCli], env, localFs));
  expect(problems.filter(({ session }) => session === id)).toEqual([]);
  const { code, stderr, messages } = await copilot.resume(id);
  expect([code, stderr]).toEqual([0, ""]);
  const told = replay((await readEvents(localFs, at)).events).messages;
  expect(messages?.map(({ role, text }) => [role, text])).toEqual(told.map(({ role, text }) => [role, text]));
});

it("knows the event types of the program's own schema, and which of them it never keeps", () => {
  const cache = join(import.meta.dirname, "node_modules/.cache"); // where it has unpacked itself for the tests above
  const [path] = globSync("**/schemas/session-events.schema.json", { cwd: cache });
  const { definitions } = JSON.parse(readFileSync(join(cache, path ?? ""), "utf8"));
  interface Definition {
    properties?: { type?: { const?: string }; ephemeral?: { const?: boolean } };
  }
  const declared = Object.values<Definition>(definitions).flatMap(({ properties }) =>
    properties?.type?.const !== undefined && "ephemeral" in properties
      ? [{ type: properties.type.const, isEphemeral: properties.ephemeral?.const === true }]
      : [],
  );
  const names = (isEphemeral: boolean): string[] =>
    declared.flatMap((each) => (each.isEphemeral === isEphemeral ? [each.type] : [])).sort();
  const ours = (isEphemeral: boolean): string[] =>
    [...eventTypes]
      .filter(([, type]) => (type.isEphemeral ?? false) === isEphemeral && (isEphemeral || type.requires))
      .map(([name]) => name)
      .sort();
  expect(ours(true)).toEqual(names(true));
  expect(ours(false)).toEqual(names(false));
});
