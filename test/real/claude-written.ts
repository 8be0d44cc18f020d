/** Transcripts written by hand: shapes that the program repairs on resume, but that tests cannot make it produce. */

import { MIXED_UP } from "./claude-mixed-up.ts";
import { NEWER_MODEL, OLDER_MODEL } from "./claude-models.ts";
import { PICTURE, TEXT, UNWRITTEN_REMINDERS } from "./claude-reminders.ts";
import { type Transcript, writeTranscript } from "./claude-rows.ts";

const thinking = (text: string) => ({ type: "thinking", thinking: text, signature: "signed" });
const call = (id: string) => ({ type: "tool_use", id, name: "Bash", input: {} });

/** What is written, by a sentence about it. */
const SHAPES: Record<string, (t: Transcript) => void> = {
  "an unanswered call before the next prompt": (t) => {
    t.prompt("one");
    t.answer("Words of the same reply.", { reply: "r" });
    t.call("lost", { reply: "r" });
    t.prompt("two");
    t.answer("Answer.");
  },
  "an unanswered call in a turn that ends with a result": (t) => {
    t.prompt("one");
    t.answer("Words of the same reply.", { reply: "r" });
    t.call("lost", { reply: "r" });
    t.result("lost");
    t.lines.push((t.lines.pop() ?? "").slice(0, 60));
    t.call("b");
    t.result("b");
  },
  "an unanswered call before a result and a call that was cut off": (t) => {
    t.prompt("one");
    t.call("a");
    t.result("a");
    t.call("lost");
    t.call("b");
    t.reminder("Mind the time.");
  },
  "two unanswered calls behind a prompt": (t) => {
    t.prompt("one");
    t.call("lost");
    t.call("b");
    t.reminder("Mind the time.");
  },
  "one of two calls in a row answered": (t) => {
    t.prompt("one");
    t.answer([call("a"), call("b")]);
    t.result("a");
    t.answer("Answer.");
  },
  "a result before its call": (t) => {
    t.prompt("one");
    t.result("a");
    t.call("a");
    t.answer("Answer.");
  },
  "a prompt between a call and its result": (t) => {
    t.prompt("one");
    t.call("a");
    t.prompt("between");
    t.result("a");
    t.answer("Answer.");
  },
  "results without calls, first and later": (t) => {
    t.result("a");
    t.answer("Answer.");
    t.prompt("two");
    t.answer("Answer.");
    t.result("b");
    t.answer("Answer.");
  },
  "calls of two replies before the results of both": (t) => {
    t.prompt("one");
    t.call("a");
    t.call("b");
    t.result("a");
    t.result("b");
    t.answer("Answer.");
  },
  "a call id used twice": (t) => {
    t.prompt("one");
    t.call("a");
    t.result("a");
    t.call("a");
    t.result("a");
    t.answer("Answer.");
  },
  "answers of nothing": (t) => {
    t.prompt("one");
    t.answer("  \n");
    t.prompt("two");
    t.answer([thinking("Only a thought.")]);
    t.prompt("three");
    t.answer([]);
    t.prompt("four");
    t.answer("Answer.");
  },
  "prompts of nothing": (t) => {
    t.prompt(" ");
    t.answer("Answer.");
    t.prompt("   ");
    t.prompt("");
    t.answer("Answer.");
    t.prompt([
      { type: "text", text: " " },
      { type: "text", text: "words" },
    ]);
    t.answer("Answer.");
  },
  "stopped by the user, and continued": (t) => {
    t.prompt("one");
    t.call("a");
    t.result("a");
    t.reminder("Mind the time.");
    t.prompt([{ type: "text", text: "[Request interrupted by user for tool use]" }]);
    t.prompt("two");
    t.answer("Answer.");
  },
  "stopped by the user at the end": (t) => {
    t.prompt("one");
    t.answer("Half an ans");
    t.prompt([{ type: "text", text: "[Request interrupted by user]" }]);
  },
  "reminders in every place": (t) => {
    t.prompt("one");
    t.reminder("With the first prompt.");
    t.reminder("In the user's voice.", "user");
    t.call("a");
    t.result("a");
    t.reminder("Behind a result.");
    t.answer("Answer.");
    t.reminder("Between two answers.");
    t.answer("Another.");
    t.reminder("Behind the last answer.");
  },
  "reminders behind each of parallel results": (t) => {
    t.prompt("one");
    const first = t.call("a", { reply: "r" });
    t.call("b", { reply: "r" });
    t.result("b");
    t.reminder("A hook on the second.");
    t.reminder("And another.");
    t.goTo(first);
    t.result("a");
    t.reminder("A hook on the first.");
    t.answer("Answer.");
  },
  "failed results with pictures": (t) => {
    const failed = (id: string, content: unknown[]): void => {
      t.call(id);
      t.prompt([{ type: "tool_result", tool_use_id: id, content, is_error: true }]);
    };
    t.prompt("one");
    failed("a", [TEXT, PICTURE, TEXT]);
    failed("b", [PICTURE]);
    failed("c", [TEXT, TEXT]);
    t.answer("Answer.");
  },
  "what a command printed": (t) => {
    t.prompt("one");
    t.answer("Answer.");
    t.row({
      type: "system",
      subtype: "local_command",
      content: "<local-command-stdout>12 $</local-command-stdout>",
    });
    t.row({ type: "system", subtype: "informational", content: "Not for the model.", level: "warning" });
    t.prompt("two");
    t.answer("Answer.");
  },
  "what a command printed, at the end of an unanswered prompt": (t) => {
    t.prompt("one");
    t.row({
      type: "system",
      subtype: "local_command",
      content: "<local-command-stdout>12 $</local-command-stdout>",
    });
  },
  "the record of a command at the end": (t) => {
    t.prompt("one");
    t.answer("Answer.");
    t.prompt("<local-command-caveat>Caveat: …</local-command-caveat>", { isMeta: true });
    t.prompt("<command-name>/cost</command-name>");
    t.prompt("<local-command-stdout>12 $</local-command-stdout>");
  },
  "the output of a command without its caveat at the end": (t) => {
    t.prompt("one");
    t.answer("Answer.");
    t.prompt("<command-name>/cost</command-name>");
    t.prompt("<local-command-stdout>12 $</local-command-stdout>");
  },
  "words before the result in one row": (t) => {
    t.prompt("one");
    const result = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "out" });
    t.call("a");
    t.prompt([{ type: "text", text: "words" }, result("a")]);
    t.call("b");
    t.prompt([{ type: "text", text: "words" }, result("b")]);
    t.prompt("more");
    t.answer("Answer.");
  },
  "a compaction without a summary's echo, at the end": (t) => {
    t.prompt("one");
    t.answer("Answer.");
    t.compact();
  },
  "a compaction, and what was announced behind it, at the end": (t) => {
    t.prompt("one");
    t.answer("Answer.");
    t.compact();
    t.reminder("Mind the time.");
  },
  "a compaction that preserved parallel calls": (t) => {
    t.prompt("one");
    t.answer("Answer.");
    const prompt = t.prompt("kept");
    const first = t.call("a", { reply: "r" });
    const second = t.call("b", { reply: "r" });
    const late = t.result("b");
    t.goTo(first);
    const early = t.result("a");
    t.compact([prompt, first, second, late, early]);
    t.prompt("two");
    t.answer("Answer.");
  },
  "a compaction, continued behind a row in the middle of what it preserved": (t) => {
    t.prompt("one");
    const kept = t.answer("Answer.");
    t.compact([kept, t.prompt("left"), t.answer("Left.")]);
    t.goTo(kept);
    t.prompt("two");
    t.answer("Answer.");
  },
  "a compaction that preserved a row that is gone": (t) => {
    t.prompt("one");
    const kept = t.answer("Answer.");
    t.compact(["gone", kept]);
    t.prompt("two");
    t.answer("Answer.");
  },
  "a compaction that preserved a row, and whose summary is gone": (t) => {
    t.prompt("one");
    t.compact([t.answer("Kept.")]);
    t.lines.pop();
    t.prompt("two", { timestamp: "2026-10-01T10:10:00.000Z" });
    t.answer("Answer.", { timestamp: "2026-10-01T10:10:01.000Z" });
  },
  "a mark on another branch": (t) => {
    t.prompt("one");
    const fork = t.answer("Answer.");
    t.prompt("marked");
    const marked = t.answer("Marked answer.");
    t.goTo(fork);
    t.prompt("last");
    t.answer("Last answer.");
    t.note({ type: "last-prompt", lastPrompt: "marked", leafUuid: marked });
  },
  "an explicit mark that cuts the end": (t) => {
    t.prompt("one");
    const end = t.answer("Answer.");
    t.prompt("two");
    t.answer("Cut off.");
    t.note({ type: "last-prompt", lastPrompt: "one", leafUuid: end, explicit: true });
  },
  "progress rows, side chains, a row twice, rows nobody knows": (t) => {
    t.prompt("one");
    t.row({ type: "progress", data: {} });
    const answer = t.answer("First version.");
    t.row({ type: "user", isSidechain: true, message: { role: "user", content: "aside" } });
    t.goTo(answer);
    t.row({ type: "hologram" });
    t.prompt("two");
    t.answer("Answer.");
    t.note({ ...JSON.parse(t.lines[2] ?? ""), message: { role: "assistant", content: "Second version." } });
  },
  "a side chain that the main line hangs on": (t) => {
    t.prompt("one");
    t.answer("Answer.");
    const aside = { isSidechain: true };
    t.prompt("aside", aside);
    const first = t.call("a", { reply: "r", ...aside });
    t.call("b", { reply: "r", ...aside });
    t.result("b", aside);
    t.goTo(first);
    t.result("a", aside);
    t.prompt("two");
    t.answer("Answer.");
  },
  "a side chain with a lost row, behind the main line and behind another": (t) => {
    const aside = { isSidechain: true };
    t.prompt("main");
    t.prompt("first aside", { parentUuid: "lost", ...aside });
    t.prompt("second aside", { parentUuid: "lost", ...aside });
    t.prompt("two");
    t.answer("Answer.");
  },
  "a lost row with all rows written at once": (t) => {
    const timestamp = "2026-10-01T10:00:00.000Z";
    t.prompt("one", { timestamp });
    t.answer("Answer.", { timestamp });
    t.prompt("lost", { timestamp });
    t.lines.pop();
    t.answer("Another.", { timestamp });
  },
  "rows in reverse order, and a circle": (t) => {
    t.prompt("one", { uuid: "a", parentUuid: "b" });
    t.answer("Answer.", { uuid: "b" });
    t.prompt("two");
    t.answer("Another.");
    t.lines.reverse();
  },
  ...MIXED_UP,
  ...UNWRITTEN_REMINDERS,
};

/** Each shape for one kind of model, by turns; where reminders matter, for both. */
export const WRITTEN = Object.entries(SHAPES).flatMap(([name, write], at) => {
  const both = name.includes("reminders") || name.includes("continued");
  const models = both ? [OLDER_MODEL, NEWER_MODEL] : at % 2 === 0 ? [OLDER_MODEL] : [NEWER_MODEL];
  return models.map((model) => {
    const transcript = writeTranscript(model);
    write(transcript);
    return { name: `${name} (${model})`, content: transcript.text() };
  });
});

/** Transcripts in which the program finds no conversation, by how they end. */
export const REFUSED: readonly (readonly [string, (t: Transcript) => void])[] = [
  [
    "a message without a time",
    (t) => {
      t.prompt("one");
      t.answer("Answer.", { timestamp: 1_790_000_000_000 });
    },
  ],
  [
    "a mark on a side chain",
    (t) => {
      t.prompt("one");
      t.answer("Answer.");
      const marked = t.prompt("aside", { isSidechain: true });
      t.note({ type: "last-prompt", lastPrompt: "aside", leafUuid: marked });
    },
  ],
];
