/** The words of Codex CLI for what other programs' tools do, and the list of names that a new session is added to. */
import { describe, expect, it } from "vitest";
import type { Act } from "../../../model/handoff/act.ts";
import type { Conversation } from "../../../model/handoff/conversation.ts";
import { entriesOf } from "../../../model/plan.ts";
import { createMemoryFs } from "../../../platform/fs/memory.ts";
import { handoff } from "./index.ts";

const { tools } = handoff;

describe("looks at files by commands, and reads these back", () => {
  it.each<[Act, string]>([
    [{ kind: "read", path: "/srv/a b.ts" }, "cat '/srv/a b.ts'"],
    [{ kind: "read", path: "/srv/a.ts", from: 3, to: 9 }, "sed -n 3,9p /srv/a.ts"],
    [{ kind: "read", path: "/srv/a.ts", from: 3 }, "sed -n '3,$p' /srv/a.ts"],
    [{ kind: "list", path: "/srv" }, "ls /srv"],
    [{ kind: "find", pattern: "**/*.ts", path: "/srv" }, "rg --files -g '**/*.ts' /srv"],
    [{ kind: "search", pattern: "it's", glob: "*.ts" }, "rg -n -g '*.ts' 'it'\\''s'"],
    [{ kind: "search", pattern: "-n", path: "src" }, "rg -n -- -n src"],
  ])("%j", (act, cmd) => {
    const call = tools.callFor(act, "/srv");
    expect(call).toEqual({ name: "exec_command", input: { cmd } });
    expect(tools.actOf("exec_command", call?.input)?.act).toEqual(act);
  });
  it("names the folder that a relative path starts in", () => {
    const call = tools.callFor({ kind: "read", path: "a.ts" }, "/srv");
    expect(call?.input).toEqual({ cmd: "cat /srv/a.ts" });
  });
  it.each(["cat a.ts", "cat /srv/a.ts | head", "rg -n a b c", "cat $HOME/a", "sed -n 3p /srv/a.ts"])(
    "leaves %s a command",
    (cmd) => {
      expect(tools.actOf("exec_command", { cmd })?.act).toEqual({ kind: "shell", command: cmd });
    },
  );
});

describe("changes files by patches, and reads these back", () => {
  it.each<[Act, string[]]>([
    [{ kind: "write", path: "/srv/a.ts", text: "a\n\nb\n" }, ["*** Add File: /srv/a.ts", "+a", "+", "+b"]],
    [{ kind: "write", path: "/srv/a.ts", text: "" }, ["*** Add File: /srv/a.ts"]],
    [
      { kind: "edit", path: "a.ts", old: "a\nb", new: "c" },
      ["*** Update File: a.ts", "@@", "-a", "-b", "+c"],
    ],
    [{ kind: "edit", path: "a.ts", old: "a\n", new: "" }, ["*** Update File: a.ts", "@@", "-a"]],
  ])("%j", (act, lines) => {
    const call = tools.callFor(act, "/srv");
    expect(call).toEqual({
      name: "apply_patch",
      input: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
    });
    expect(tools.actOf("apply_patch", call?.input)?.act).toEqual(act);
    const cmd = `apply_patch <<'EOF'\n${call?.input}\nEOF`;
    expect(tools.actOf("shell", { command: ["bash", "-lc", cmd] })?.act).toEqual(act);
  });
  it("takes the lines around a change along", () => {
    const patch = "*** Begin Patch\n*** Update File: a.ts\n@@\n one\n-two\n+2\n three\n*** End Patch\n";
    const act = { kind: "edit", path: "a.ts", old: "one\ntwo\nthree", new: "one\n2\nthree" };
    expect(tools.actOf("apply_patch", patch)?.act).toEqual(act);
  });
  it.each(["@@ class A\n-a\n+b", "@@\n-a\n+b\n@@\n-c\n+d", "@@\n+b", "-a\n+b\n*** Delete File: b.ts"])(
    "leaves a patch of more than one edit as it is: %j",
    (body) => {
      const text = `*** Begin Patch\n*** Update File: a.ts\n${body}\n*** End Patch`;
      expect(tools.actOf("apply_patch", text)?.act).toEqual({ kind: "patch", text });
    },
  );
  it("has no patch for a change of every place", () => {
    const act: Act = { kind: "edit", path: "a.ts", old: "a", new: "b", all: true };
    expect(tools.callFor(act, "/srv")).toBeUndefined();
  });
});

describe("names the new session", () => {
  const conversation: Conversation = {
    session: { source: "x", id: "y", title: "Old", turns: 0, problems: 0, models: [], path: "", bytes: 0 },
    turns: [],
    left: { reminders: 0, earlierTurns: 0, agentCalls: 0, images: 0, attachments: 0 },
  };
  const now = new Date("2026-11-15T12:00:00.000Z");
  const id = "11111111-2222-4333-8444-555555555555";
  const request = { root: "/home/.codex", id, now, name: "New", workspace: "/srv", note: "From x." };
  const line = `${JSON.stringify({ id, thread_name: "New", updated_at: now.toISOString() })}\n`;
  const names = "/home/.codex/session_index.jsonl";

  it("in the same step as a home that is not there", async () => {
    const fs = createMemoryFs();
    await fs.mkdir("/home");
    const { steps } = await handoff.draw(fs, conversation, request);
    expect(steps.map(({ does, path }) => [does, path])).toEqual([["place", "/home/.codex"]]);
    expect(steps.flatMap(entriesOf).map(({ path }) => path)).toEqual([
      "/home/.codex",
      "/home/.codex/sessions",
      "/home/.codex/sessions/2026",
      "/home/.codex/sessions/2026/11",
      "/home/.codex/sessions/2026/11/15",
      `/home/.codex/sessions/2026/11/15/rollout-2026-11-15T12-00-00-${id}.jsonl`,
      names,
    ]);
  });
  it("behind the names that are there", async () => {
    const fs = createMemoryFs();
    await fs.mkdir("/home/.codex");
    const old = '{"id":"a","thread_name":"A"}';
    await fs.write(names, old);
    const { steps, basis } = await handoff.draw(fs, conversation, request);
    const [, step] = steps;
    expect(step).toMatchObject({ does: "replace", path: names, minor: true });
    expect(step && entriesOf(step)[0]?.pieces).toEqual([
      { file: names, start: 0, end: old.length },
      { text: `\n${line}` },
    ]);
    expect(basis.map(({ entry }) => entry.path)).toEqual([names]);
  });
});
