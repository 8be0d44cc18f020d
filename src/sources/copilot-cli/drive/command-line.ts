/** The command line of Copilot CLI for one message. */
import type { StartMode } from "../../../model/chat.ts";
import type { Abilities, CommandLine, OutgoingMessage } from "../../driver.ts";

/** Systems take words of at most 128 KiB (Linux) or 32 KiB in all (Windows). */
const LONGEST_WORD = 24 << 10;

export function commandLine(
  mode: StartMode,
  { text, model, allowsTools }: OutgoingMessage,
  can: Abilities,
): CommandLine {
  const isLong = Buffer.byteLength(text) > LONGEST_WORD;
  const words = [
    ...WORDS[mode.start]("id" in mode ? mode.id : ""),
    // As one word: a message may begin with a dash. What the program finds on its input is a prompt, too.
    ...(isLong ? [] : [`--prompt=${text}`]),
    "-s",
    ...(allowsTools ? ["--allow-all-tools"] : []),
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(can.tellsEvents ? ["--output-format=json"] : []),
    ...(can.streams ? ["--stream=on"] : []),
  ];
  return isLong ? { words, input: text } : { words };
}

const WORDS: Record<StartMode["start"], (id: string) => string[]> = {
  named: (id) => [`--session-id=${id}`],
  unnamed: () => [],
  resume: (id) => [`--resume=${id}`],
  continue: () => ["--continue"],
  alone: () => [],
};
