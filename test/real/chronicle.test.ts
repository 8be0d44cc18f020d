/** The user's own Copilot CLI words a report: one request of its model, with the data alone, and no session left behind. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { builtCommand } from "../built.ts";
import { programPath, startCopilot } from "./copilot.ts";
import { isChat } from "./openai.ts";

const IDS = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"];

/** Its model answers "Answer to message 2.", which is founded: there are two sessions. */
it("words a standup", async () => {
  const copilot = await startCopilot();
  const bin = join(copilot.workspace, "bin");
  mkdirSync(bin);
  symlinkSync(programPath(), join(bin, "copilot"));
  for (const id of IDS) copilot.write(id, logOf(id));
  const data = join(copilot.home, "..", "data");
  const env = {
    ...copilot.env,
    HOME: data,
    RETHREAD_HOME: data,
    PATH: `${bin}:${process.env.PATH}`,
  };
  const words = [builtCommand(), "chronicle", "standup", "--since", "2026-10-01", "--with", "copilot"];
  const child = spawn(process.execPath, words, { cwd: copilot.workspace, env });
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once("close", resolve)),
  ]);
  expect([code, stdout, stderr]).toEqual([0, "Answer to message 2.\n", ""]);
  expect(readdirSync(join(copilot.home, "session-state")).toSorted()).toEqual(IDS);
  const requests = copilot.model.requests.filter(isChat);
  expect(requests).toHaveLength(1);
  const asked = JSON.stringify(requests[0]?.body.messages);
  expect(asked).toContain("Why is the login flaky?");
  expect(asked).toMatch(/<history-[0-9a-f]{12}>/);
  expect(requests[0]?.body.tools ?? []).toEqual([]);
  await copilot.close();
});

function logOf(sessionId: string): string {
  let at = 0;
  const event = (type: string, data: object): string =>
    `${JSON.stringify({ type, data, id: `${sessionId}-${at}`, timestamp: `2026-10-02T10:00:0${at++}.000Z`, parentId: null })}\n`;
  return [
    event("session.start", { sessionId, version: 1, producer: "copilot-agent", copilotVersion: "1.0.102" }),
    event("user.message", { content: "Why is the login flaky?", attachments: [] }),
    event("assistant.message", { messageId: "m1", model: "x", content: "It is not.", toolRequests: [] }),
  ].join("");
}
