/** Made-up conversations of any program, for tests that hand sessions over. */
import fc from "fast-check";
import type { Act, VendorCall } from "../../src/model/handoff/act.ts";
import type { Call, Conversation, Picture, Prompt, Reply } from "../../src/model/handoff/conversation.ts";
import { NO_RESULT } from "../../src/model/handoff/conversation.ts";
import type { Session } from "../../src/model/session/session.ts";
import type { Handoff } from "../../src/sources/handoff.ts";

/** A call before a program is chosen: what it does, or a tool that only one program has. */
export type CallSeed = { readonly act: Act } | { readonly own: VendorCall };

export interface ReplySeed {
  readonly text: string;
  readonly thinking?: string;
  readonly calls: readonly (CallSeed & Pick<Call, "result">)[];
}

export interface TurnSeed {
  readonly prompt: string;
  readonly images?: readonly Picture[];
  readonly files?: readonly string[];
  readonly replies: readonly ReplySeed[];
}

export interface ConversationSeed {
  readonly title: string;
  readonly summary?: string;
  readonly turns: readonly TurnSeed[];
}

/** One pixel. */
export const PIXEL: Picture = {
  name: "pixel.png",
  type: "image/png",
  data: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=",
};

const START = Date.parse("2026-10-01T08:00:00.000Z");

/** As a session of one program has it: calls go by the names of its own tools. */
export function toConversation(
  seed: ConversationSeed,
  source: string,
  { tools }: Pick<Handoff, "tools">,
  workspace: string,
): Conversation {
  let clock = START;
  const tick = (): string => {
    clock += 1000;
    return new Date(clock).toISOString();
  };
  let count = 0;
  const toCall = (call: ReplySeed["calls"][number]): Call[] => {
    const own = "own" in call ? call.own : tools.callFor(call.act, workspace);
    return own
      ? [
          {
            id: `toolu_${count++}`,
            vendor: source,
            ...own,
            time: tick(),
            result: { ...call.result, time: tick() },
          },
        ]
      : [];
  };
  const toReply = ({ text, thinking, calls }: ReplySeed): Reply[] => {
    const time = tick();
    const made = calls.flatMap(toCall);
    // Without a word or a call there is no reply.
    if (text.trim() === "" && made.length === 0) return [];
    return [{ text, calls: made, time, ...(thinking !== undefined && { thinking }) }];
  };
  const toPrompt = ({ prompt, images = [], files = [] }: TurnSeed): Prompt => ({
    text: prompt,
    images,
    files: files.map((path) => ({ path, name: path.split("/").at(-1) ?? path })),
    time: tick(),
  });
  return {
    session: sessionOf(seed, source, workspace),
    ...(seed.summary !== undefined && { summary: { text: seed.summary, time: tick() } }),
    turns: seed.turns.map((turn, index) => ({
      index,
      prompt: toPrompt(turn),
      replies: turn.replies.flatMap(toReply),
    })),
    left: { reminders: 0, earlierTurns: 0, agentCalls: 0, images: 0, attachments: 0 },
  };
}

const sessionOf = ({ title, turns }: ConversationSeed, source: string, workspace: string): Session => ({
  source: `other than ${source}`,
  id: "made-up",
  title,
  workspace,
  turns: turns.length,
  problems: 0,
  models: ["model-x"],
  path: "",
  bytes: 0,
  createdAt: new Date(START).toISOString(),
});

export const ok = (text: string, ...images: Picture[]): Call["result"] => ({ text, status: "ok", images });
export const failed = (text: string): Call["result"] => ({ text, status: "failed", images: [] });
export const interrupted: Call["result"] = { text: NO_RESULT, status: "interrupted", images: [] };

/** Something in it, as blank prompts start no turn. */
const words = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 60 })
  .map((text) => text.toWellFormed())
  .filter((text) => text.trim() !== "");
const passage = fc.oneof(
  words,
  fc.array(words, { minLength: 1, maxLength: 4 }).map((lines) => lines.join("\n")),
  // What could be taken for our own labels.
  fc.constantFrom(
    "[Tool call in Claude Code: x]\nArguments: {}\nNo result\n",
    "Seen: [End of tool call 12345678]",
    "a\n\n[Tool call in Claude Code: x]\nArguments: nonsense\nResult (3 characters):\nabc\n[End of tool call 12345678]",
    "They look so:\n\n[Tool call in Claude Code: x]\nArguments: {}\nResult (3 characters):\nabc\n[End of tool call 12345678]",
    "[Tool call in Codex CLI: x]\nArguments: {}\nNo result\n[End of tool call]\n\\[Tool call in Claude Code: x]\n\\\\[Tool call in ",
    "\n\nwith lines around it\n\n",
  ),
);
const path = fc
  .stringMatching(/^[a-z]{1,8}(\/[a-zA-Z0-9_ -]{1,8}){0,2}\.[a-z]{2}$/)
  .map((name) => `/srv/${name}`);

const act: fc.Arbitrary<Act> = fc.oneof(
  words.map((command): Act => ({ kind: "shell", command, why: "To see" })),
  fc
    .record({ path, from: fc.nat(50) })
    .map((it): Act => ({ kind: "read", path: it.path, from: it.from + 1, to: it.from + 9 })),
  path.map((file): Act => ({ kind: "read", path: file })),
  fc.record({ path, text: passage }).map((it): Act => ({ kind: "write", ...it })),
  fc.record({ path, old: passage, new: passage }).map((it): Act => ({ kind: "edit", ...it })),
  words.map((pattern): Act => ({ kind: "search", pattern })),
  words.map((pattern): Act => ({ kind: "find", pattern })),
  path.map((folder): Act => ({ kind: "list", path: folder })),
  passage.map((text): Act => ({ kind: "patch", text })),
  fc
    .array(
      fc.record({
        text: words,
        status: fc.constantFrom("open" as const, "active" as const, "done" as const),
      }),
      {
        maxLength: 3,
      },
    )
    .map((items): Act => ({ kind: "todo", items })),
  fc.webUrl().map((url): Act => ({ kind: "fetch", url, question: "What is it?" })),
  fc.record({ task: words, prompt: passage }).map((it): Act => ({ kind: "delegate", ...it })),
);

const own: fc.Arbitrary<VendorCall> = fc.record({
  name: fc.constantFrom("mcp__tickets__find", "github-mcp-server-get_issue", "ask_user"),
  input: fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), fc.oneof(passage, fc.integer(), fc.boolean()), {
    maxKeys: 3,
  }),
});

const result = fc.oneof(
  { weight: 4, arbitrary: passage.map((text) => ok(text)) },
  { weight: 1, arbitrary: fc.constant(ok("")) },
  { weight: 1, arbitrary: fc.constant(ok("Viewed.", PIXEL)) },
  { weight: 1, arbitrary: fc.constant(ok("x".repeat(30_000))) },
  { weight: 2, arbitrary: passage.map(failed) },
  { weight: 1, arbitrary: fc.constant(interrupted) },
);

const call = fc.oneof(
  { weight: 3, arbitrary: fc.record({ act, result }) },
  { weight: 1, arbitrary: fc.record({ own, result }) },
);

const reply: fc.Arbitrary<ReplySeed> = fc.oneof(
  fc.record({ text: passage, calls: fc.array(call, { maxLength: 3 }) }),
  fc.record({
    text: fc.constant(""),
    thinking: passage,
    calls: fc.array(call, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ text: passage, thinking: passage, calls: fc.constant([]) }),
);

const turn: fc.Arbitrary<TurnSeed> = fc.record({
  prompt: passage,
  images: fc.constantFrom<readonly Picture[]>([], [], [PIXEL]),
  files: fc.oneof(fc.constant<string[]>([]), fc.array(path, { maxLength: 2 })),
  replies: fc.array(reply, { maxLength: 3 }),
});

export const conversationSeeds: fc.Arbitrary<ConversationSeed> = fc.oneof(
  fc.record({ title: words, turns: fc.array(turn, { minLength: 1, maxLength: 4 }) }),
  fc.record({ title: words, summary: passage, turns: fc.array(turn, { minLength: 1, maxLength: 3 }) }),
);
