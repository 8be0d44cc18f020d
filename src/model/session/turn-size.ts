/**
 * About how many tokens a turn gives the model to read. Counting them takes a tokenizer, which is slower than all the rest of
 * an index run (decision 0006), so a turn's size is the sum of the lengths of its texts, which every reader knows anyway.
 * Pages say that it is an estimate, and put the count of the context lens in its place once they have it.
 */
import type { Event } from "./session.ts";

/**
 * UTF-8 bytes rather than characters: a token is about four letters of English or a few of code, but hardly more than one
 * Chinese character. Measured on the demo's sessions against the count of the lens (`test/contracts/turn-size.test.ts`).
 */
const BYTES_PER_TOKEN = 3.6;

export const toTokens = (textBytes: number): number => Math.ceil(textBytes / BYTES_PER_TOKEN);

/** What a sub-agent reads and says is not in the context of the agent that asked it. */
export function textBytesOf(event: Event): number {
  if (event.agent !== undefined) return 0;
  switch (event.kind) {
    case "prompt":
    case "text":
    case "thinking":
    case "tool-result":
      return Buffer.byteLength(event.text) + (event.cut ?? 0);
    case "tool-call":
      return callBytesOf(event.name, event.input) + (event.cut ?? 0);
    default:
      return 0;
  }
}

/** The same of a call alone. */
export const callBytesOf = (name: string, input: unknown): number =>
  Buffer.byteLength(name) + inputBytes(input);

/** As JSON has it, but for what is nested deeper: arguments are texts, nearly all of them. */
function inputBytes(input: unknown): number {
  if (typeof input === "string") return Buffer.byteLength(input);
  if (typeof input !== "object" || input === null) return 0;
  let bytes = 2;
  for (const [name, value] of Object.entries(input))
    bytes +=
      name.length +
      6 +
      (typeof value === "string" ? Buffer.byteLength(value) : (JSON.stringify(value)?.length ?? 0));
  return bytes;
}
