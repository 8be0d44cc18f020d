/** The command line of Claude Code for one message. */
import type { StartMode } from "../../../model/chat.ts";
import type { Abilities, CommandLine, OutgoingMessage } from "../../driver.ts";

/** The message goes to its input: there it may begin with a dash and be of any length, and no list of processes shows it. */
export function commandLine(
  mode: StartMode,
  { text, model, allowsTools }: OutgoingMessage,
  can: Abilities,
): CommandLine {
  const words = [
    "--print",
    ...WORDS[mode.start]("id" in mode ? mode.id : ""),
    ...(allowsTools ? ["--dangerously-skip-permissions"] : []),
    ...(model === undefined ? [] : [`--model=${model}`]),
    // Records are only printed by a talkative program.
    ...(can.tellsEvents ? ["--output-format=stream-json", "--verbose"] : []),
    ...(can.streams ? ["--include-partial-messages"] : []),
  ];
  return { words, input: text };
}

const WORDS: Record<StartMode["start"], (id: string) => string[]> = {
  named: (id) => [`--session-id=${id}`],
  unnamed: () => [],
  resume: (id) => [`--resume=${id}`],
  continue: () => ["--continue"],
  alone: () => [],
};
