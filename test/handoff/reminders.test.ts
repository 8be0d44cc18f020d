/** Reminders that a program puts behind results stay behind, but not what somebody typed while a tool ran. */
import { expect, it } from "vitest";
import { SOURCES } from "../../src/sources/registry.ts";
import { OLDER_MODEL } from "../real/claude-models.ts";
import { writeTranscript } from "../real/claude-rows.ts";
import { createMachine, handOver, read } from "./machine.ts";

const ID = "11111111-2222-4333-8444-666666666666";
const PATH = `/home/claude/projects/-srv-work/${ID}.jsonl`;

it.each(["copilot-cli", "vscode", "codex"])(
  "hands over to %s what each said in its own place",
  async (to) => {
    const t = writeTranscript(OLDER_MODEL);
    /** Older releases did not write down in which words the model was told. */
    const queue = (prompt: string, isOld = false): void => {
      const text = `<system-reminder>\nThe user sent a new message:\n${prompt}\n</system-reminder>`;
      t.row({
        type: "attachment",
        attachment: { type: "queued_command", prompt, commandMode: "prompt" },
        ...(!isOld && { rendered: [{ content: text }], renderedRole: "user" }),
      });
    };
    t.prompt("Look", { cwd: "/srv/work" });
    t.call("a");
    t.result("a");
    t.reminder("Mind the time.");
    t.call("b");
    t.result("b");
    queue("And hurry");
    queue("Please", true);
    t.call("c");
    t.prompt([{ type: "tool_result", tool_use_id: "c", content: [{ type: "text", text: " seen\n" }] }]);
    t.reminder("Mind the time.");
    t.answer("Done.");
    const catalog = await createMachine(SOURCES, { [PATH]: t.text() });
    const [artifact] = (await catalog.scan()).artifacts;
    if (!artifact) throw new Error("no session");
    const made = await handOver({ catalog, artifact }, to);
    const { turns } = await read(made);
    expect(turns.map(({ prompt }) => prompt?.text)).toEqual(["Look", "And hurry", "Please"]);
    const results = turns.map(({ replies }) =>
      replies.flatMap(({ calls }) => calls.map((call) => call.result.text)),
    );
    expect(results).toEqual([["output of a", "output of b"], [], [" seen\n"]]);
    expect(made.plan.fidelity).toMatchObject({ native: { prompts: 3 }, dropped: { reminders: 2 } });
  },
);
