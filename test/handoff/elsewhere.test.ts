/** A session that is handed over to another folder: files that calls and prompts name follow, texts stay. */
import { expect, it } from "vitest";
import { type ConversationSeed, ok, toConversation } from "./conversations.ts";
import { createMachine, handOver, read, settle } from "./machine.ts";

const seed: ConversationSeed = {
  title: "Elsewhere",
  turns: [
    {
      // As Claude Code has attached files that were handed over to it.
      prompt:
        "Look into /srv/work\n\n[Attached file: /srv/work/note.md]\n[Attached file: /srv/worker/note.md]",
      replies: [
        {
          text: "I look at /srv/work/a.ts.",
          calls: [
            { act: { kind: "read", path: "/srv/work/a.ts" }, result: ok("// /srv/work/a.ts") },
            { act: { kind: "write", path: "/srv/work/sub/b.ts", text: "// /srv/work" }, result: ok("Done.") },
            { act: { kind: "read", path: "/srv/worker/c.ts" }, result: ok("Another folder.") },
            { act: { kind: "shell", command: "ls /srv/work", why: "To see" }, result: ok("a.ts") },
          ],
        },
      ],
    },
  ],
};

it.each(["copilot-cli", "vscode"])("moves what Claude Code had done to the new folder in %s", async (to) => {
  const machine = await createMachine();
  const [from, there] = [await machine.handoff("claude-code"), await machine.handoff(to)];
  if (!from || !there) throw new Error("no such program");
  const original = await settle(
    machine,
    "claude-code",
    toConversation(seed, "claude-code", from, "/srv/work"),
  );
  const moved = await handOver(original, to, { workspace: "/srv/third" });
  const [turn] = (await read(moved)).turns;
  const calls = turn?.replies.flatMap((reply) => reply.calls) ?? [];
  expect(calls.map(({ name, input }) => there.tools.actOf(name, input)?.act)).toMatchObject([
    { kind: "read", path: "/srv/third/a.ts" },
    { kind: "write", path: "/srv/third/sub/b.ts", text: "// /srv/work" },
    { kind: "read", path: "/srv/worker/c.ts" },
    { kind: "shell", command: "ls /srv/work" },
  ]);
  expect(calls[0]?.result.text).toBe("// /srv/work/a.ts");
  expect(turn?.prompt?.text).toContain("Look into /srv/work");
  expect(turn?.prompt?.files.map(({ path }) => path)).toEqual(["/srv/third/note.md", "/srv/worker/note.md"]);
  expect(moved.plan.fidelity?.reasons).toContain(
    "Calls name files in /srv/third now; commands, results and texts still name /srv/work",
  );
});
