/** Sound transcripts of Claude Code to be damaged, with the words of those that the program itself makes. */
import { type Base, LEFT, WORDS } from "../real/claude-damages.ts";
import { type Transcript, writeTranscript } from "../real/claude-rows.ts";

const { first, looking, seenOne, second, seenTwo, third, finished } = WORDS;

const call = (t: Transcript, command: string, reply: string): string =>
  t.answer(
    [{ type: "tool_use", id: `toolu_${command}`, name: "Bash", input: { command: `echo ${command}` } }],
    {
      reply,
    },
  );
const result = (t: Transcript, command: string): string =>
  t.prompt([{ type: "tool_result", tool_use_id: `toolu_${command}`, content: command }]);
const mark = (t: Transcript, leafUuid: string, more: Record<string, unknown> = {}): void =>
  t.note({ type: "last-prompt", lastPrompt: "…", leafUuid, ...more, sessionId: "s" });

function twoTurns(t: Transcript): string {
  t.prompt(first);
  t.reminder("Mind the time.");
  t.answer(looking, { reply: "r1" });
  call(t, "one", "r1");
  result(t, "one");
  t.reminder("Still.");
  mark(t, t.answer(seenOne));
  t.prompt(second);
  t.reminder("Mind the budget.");
  const two = call(t, "two", "r2");
  const three = call(t, "three", "r2");
  t.goTo(two);
  result(t, "two");
  t.goTo(three);
  result(t, "three");
  const end = t.answer(seenTwo);
  mark(t, end);
  return end;
}

function lastTurn(t: Transcript): string {
  t.prompt(third);
  t.reminder("Last one.");
  const end = t.answer(finished);
  mark(t, end);
  return end;
}

const BASES: Readonly<Record<Base, (t: Transcript) => void>> = {
  plain: (t) => {
    twoTurns(t);
    lastTurn(t);
  },
  rewound: (t) => {
    const end = twoTurns(t);
    t.prompt(LEFT);
    t.answer("Nothing comes of it.");
    mark(t, "00000000-0000-0000-0000-000000000000", { explicit: true });
    t.goTo(end);
    lastTurn(t);
  },
  compacted: (t) => {
    twoTurns(t);
    t.compact([lastTurn(t)]);
    t.prompt("What now?");
    mark(t, t.answer("Now this."));
  },
};

export function linesOf(base: Base): string[] {
  const transcript = writeTranscript();
  BASES[base](transcript);
  return transcript.lines;
}
