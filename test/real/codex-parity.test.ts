/** Our `context` against the real Codex CLI: item for item what it sends when each session is resumed. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ContextMessage } from "../../src/model/session/context.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { context } from "../../src/sources/codex/context.ts";
import { scan } from "../../src/sources/codex/scan.ts";
import { type CodexHome, createHome, openCodex } from "./codex.ts";
import { CASES, type Case } from "./codex-cases.ts";
import { textOf, type WireItem } from "./responses.ts";

const codex = openCodex();
const homes: CodexHome[] = [];
const compared = new Map<string, { ours: string[]; sent: string[] } | Error>();
const NEXT = "And now the next step, please.";

beforeAll(async () => {
  const waiting = [...CASES];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { name } = next;
      compared.set(name, await compare(next).catch((error: Error) => error));
    }
  };
  await Promise.all([work(), work()]);
}, 120_000);

afterAll(() => {
  codex.close();
  for (const home of homes) home.remove();
});

async function compare({ make, model }: Case) {
  const home = createHome();
  homes.push(home);
  const id = await make(codex, home);
  const ours = (await context(localFs, await find(home, id))).flatMap(toWords);
  const { requests, output } = await codex.resume(home, id, NEXT, model === undefined ? {} : { model });
  const [sent] = requests;
  if (!sent) throw new Error(`Codex CLI sent nothing: ${output}`);
  return { ours, sent: sent.filter(isNoSystemPrompt).flatMap(toItemWords) };
}

async function find(home: CodexHome, id: string): Promise<Artifact> {
  const found: Artifact[] = [];
  await scan(localFs, home.root, { artifact: (one) => void found.push(one), problem: () => undefined });
  const artifact = found.find((one) => one.id === id);
  if (!artifact) throw new Error(`no session ${id}`);
  return artifact;
}

/** Both sides in words, a line for each thing that the model can tell apart. */
function toWords({ role, text, thinking, toolCalls = [], toolCallId }: ContextMessage): string[] {
  if (role === "user") return [`user: ${text}`];
  if (role === "tool") return [`result of ${toolCallId}: ${text}`];
  return [
    ...(thinking === undefined ? [] : [`thought: ${thinking}`]),
    ...(text === "" ? [] : [`assistant: ${text}`]),
    ...toolCalls.map(({ id, name, arguments: given }) => `call ${id} of ${name}: ${JSON.stringify(given)}`),
  ];
}

function toItemWords(item: WireItem): string[] {
  const call = (name: unknown, given: unknown): string[] => [
    `call ${item.call_id ?? item.id} of ${name}: ${JSON.stringify(given)}`,
  ];
  switch (item.type) {
    case "message":
      return [`${item.role === "assistant" ? "assistant" : "user"}: ${textOf(item.content)}`];
    case "reasoning":
      return [`thought: ${textOf(item.summary as WireItem["content"])}`];
    case "function_call":
      return call(item.name, parsed(String(item.arguments)));
    case "custom_tool_call":
      return call(item.name, item.input);
    case "local_shell_call":
      return call("local_shell", withoutNulls(item.action));
    case "web_search_call":
      return call("web_search", item.action);
    case "function_call_output":
    case "custom_tool_call_output":
      return [`result of ${item.call_id}: ${textOf(item.output as WireItem["content"])}`];
    default:
      return [`[${item.type}]`];
  }
}

/** The program sends fields that the log leaves out. */
const withoutNulls = (value: unknown): unknown =>
  Object.fromEntries(Object.entries(value as object).filter(([, each]) => each !== null));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** It comes first: the tools, for some models, and who the model is. */
const isNoSystemPrompt = ({ type, content }: WireItem, index: number): boolean =>
  type !== "additional_tools" && !(index < 2 && textOf(content).startsWith("You are Codex"));

describe("Codex CLI resumes", () => {
  it.each(CASES.map(({ name }) => name))("%s", (name) => {
    const result = compared.get(name);
    if (result instanceof Error || !result) throw result;
    const { ours, sent } = result;
    expect(sent.slice(0, ours.length)).toEqual(ours);
    const added = sent.slice(ours.length);
    expect(added.pop()).toBe(`user: ${NEXT}`);
    // What else is new are the program's own words of this moment.
    for (const words of added) expect(words).toMatch(/^user: (<|# AGENTS\.md|The following is)/);
  });
});
