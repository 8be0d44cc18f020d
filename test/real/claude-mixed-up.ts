/** Transcripts written by hand whose rows stand or follow in another order than the program writes them. */
import type { Transcript } from "./claude-rows.ts";

/** What is written, by a sentence about it. */
export const MIXED_UP: Record<string, (t: Transcript) => void> = {
  "the calls of a reply in another order in the file": (t) => {
    t.prompt("one");
    t.answer([{ type: "thinking", thinking: "First.", signature: "signed" }], { reply: "r" });
    const first = t.call("a", { reply: "r" });
    t.call("b", { reply: "r" });
    t.result("b");
    t.goTo(first);
    t.result("a");
    t.answer("Answer.");
    const [call = ""] = t.lines.splice(3, 1);
    t.lines.splice(2, 0, call);
  },
  "a call written again behind its result": (t) => {
    t.prompt("one");
    const first = t.call("a", { reply: "r" });
    t.call("b", { reply: "r" });
    t.result("b");
    t.goTo(first);
    t.result("a");
    t.answer("Answer.");
    t.lines.splice(5, 0, t.lines[2] ?? "");
  },
  "a row that follows one behind it, within seconds of others": (t) => {
    t.prompt("one");
    t.answer("Answer.");
    t.prompt("two");
    t.answer("Another.");
    t.lines[0] = (t.lines[0] ?? "").replace('"parentUuid":null', '"parentUuid":"row-3"');
  },
  "a compaction that names the first and the last of what it preserved": (t) => {
    t.prompt("one");
    t.answer("Answer.");
    const head = t.prompt("two");
    const tail = t.answer("Another.");
    t.compact();
    const at = t.lines.length - 2;
    const preservedSegment = { headUuid: head, anchorUuid: "summary", tailUuid: tail };
    t.lines[at] = JSON.stringify({
      ...JSON.parse(t.lines[at] ?? ""),
      compactMetadata: { trigger: "manual", preservedSegment },
    });
    t.prompt("three");
    t.answer("Third.");
  },
  "a prompt behind what a compaction forgot": (t) => {
    const first = t.prompt("one");
    t.answer("Answer.");
    const kept = t.answer("Kept.");
    t.compact([kept]);
    t.goTo(first);
    t.prompt("two");
    t.answer("Another.");
  },
  "typed while a tool ran, and continued on a branch": (t) => {
    t.prompt("one");
    t.call("a");
    const result = t.result("a");
    t.row({
      type: "attachment",
      attachment: { type: "queued_command", prompt: "Hurry.", commandMode: "prompt" },
    });
    t.answer("Answer.");
    t.note({ type: "last-prompt", lastPrompt: "one", leafUuid: result, explicit: true });
  },
};
