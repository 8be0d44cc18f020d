import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SHAPED } from "../../../test/secrets.ts";
import { createSummaryWriter } from "./summary-writer.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-writer-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writer = (words: string, timeoutMs = 20_000) =>
  createSummaryWriter(words, {
    ...{ vars: { PATH: process.env.PATH }, folder, timeoutMs },
    agents: async () => [own()],
  });
/** An agent that tells what it finds in its home. */
const own = () => ({
  name: "agent",
  command: ["sh", "-c", 'ls "$AGENT_HOME"; cat "$AGENT_HOME/login"; touch "$AGENT_HOME/session"; cat'],
  homeVariable: "AGENT_HOME",
  links: [join(folder, "login"), join(folder, "not-there")],
});

describe("who writes a summary", () => {
  it("gets the prompt without keys and passwords", async () => {
    const [key = ""] = fc.sample(SHAPED["github token"] ?? fc.constant(""), { numRuns: 1, seed: 7 });
    const answer = await writer("cat")(`the token is ${key}`);
    expect(answer).not.toContain(key);
    expect(answer).toMatch(/^the token is \[redacted: /);
  });

  it("is the agent itself when it is called by its name, in a home that is gone afterwards", async () => {
    writeFileSync(join(folder, "login"), "it is me\n");
    expect(await writer("agent")("the prompt")).toBe("login\nit is me\nthe prompt");
    expect(readdirSync(folder)).toEqual(["login"]);
  });

  it.each([
    ["echo 'not logged in' >&2; exit 3", "ended with exit code 3 (not logged in), so nothing was changed"],
    ["yes", "printed more than a megabyte and was stopped, so nothing was changed"],
  ])("is told of when it fails: %s", async (words, why) => {
    await expect(writer(words)("x")).rejects.toMatchObject({
      code: "summary-failed",
      message: `${words} ${why}`,
    });
  });

  it("is stopped when it hangs", async () => {
    await expect(writer("sleep 60", 200)("x")).rejects.toMatchObject({
      code: "summary-failed",
      message: "sleep 60 did not answer in time and was stopped, so nothing was changed",
    });
  });
});
