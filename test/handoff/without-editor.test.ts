/** Sessions of a program whose sessions can only be read are made smaller on their way, not where they are. */
import { expect, it } from "vitest";
import { SOURCES } from "../../src/sources/registry.ts";
import type { Source } from "../../src/sources/source.ts";
import { type ConversationSeed, toConversation } from "./conversations.ts";
import { createMachine, handOver, type Place, read, settle } from "./machine.ts";

const readOnly = SOURCES.map(({ editor: _, ...source }): Source => source);
const seed: ConversationSeed = {
  title: "Three turns",
  turns: ["first", "second", "third"].map((prompt) => ({
    prompt,
    replies: [{ text: `${prompt} answer ${"x".repeat(100)}`, calls: [] }],
  })),
};

async function threeTurns(from: string): Promise<Place> {
  const machine = await createMachine(readOnly);
  const own = await machine.handoff(from);
  if (!own) throw new Error("no such program");
  return settle(machine, from, toConversation(seed, from, own, "/srv/work"));
}
const promptsOf = async (place: Place) => (await read(place)).turns.map(({ prompt }) => prompt?.text);

it("leaves out the oldest turns until the rest fits, and says so", async () => {
  const whole = await handOver(await threeTurns("claude-code"), "copilot-cli");
  const { clonedTokens = 0 } = whole.plan.stats ?? {};
  const small = await handOver(await threeTurns("claude-code"), "copilot-cli", { budget: clonedTokens - 1 });
  expect(await promptsOf(small)).toEqual(["second", "third"]);
  expect(small.plan.losses).toEqual(["its oldest turn, to fit the budget"]);
  const smaller = await handOver(await threeTurns("claude-code"), "copilot-cli", {
    budget: clonedTokens / 2,
  });
  expect(await promptsOf(smaller)).toEqual(["third"]);
  expect(smaller.plan.losses).toEqual(["its 2 oldest turns, to fit the budget"]);
  await expect(
    handOver(await threeTurns("claude-code"), "copilot-cli", { budget: 10 }),
  ).rejects.toMatchObject({
    code: "usage",
    message: expect.stringMatching(/needs at least \d+ tokens/),
  });
});

it("ends with the turn that was named, and refuses one that is not there", async () => {
  expect(await promptsOf(await handOver(await threeTurns("vscode"), "claude-code", { at: 1 }))).toEqual([
    "first",
    "second",
  ]);
  await expect(handOver(await threeTurns("vscode"), "claude-code", { at: 3 })).rejects.toMatchObject({
    code: "turn-not-found",
  });
});
