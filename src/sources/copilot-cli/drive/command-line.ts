/** The words that Copilot CLI is started with, for one message. */
import type { Way } from "../../../model/chat.ts";
import type { Abilities, OutgoingMessage } from "../../driver.ts";

export function commandLine(
  way: Way,
  { text, model, allowsTools }: OutgoingMessage,
  can: Abilities,
): string[] {
  return [
    ...WORDS[way.start]("id" in way ? way.id : ""),
    // As one word: a message may begin with a dash.
    `--prompt=${text}`,
    "-s",
    ...(allowsTools ? ["--allow-all-tools"] : []),
    ...(model === undefined ? [] : [`--model=${model}`]),
    ...(can.tellsEvents ? ["--output-format=json"] : []),
    ...(can.streams ? ["--stream=on"] : []),
  ];
}

const WORDS: Record<Way["start"], (id: string) => string[]> = {
  named: (id) => [`--session-id=${id}`],
  unnamed: () => [],
  resume: (id) => [`--resume=${id}`],
  continue: () => ["--continue"],
  alone: () => [],
};
