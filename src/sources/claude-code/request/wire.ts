/** The messages of a request, block by block, with the place each block came from. */
import type { Origin } from "../../../model/session/session.ts";
import type { Block } from "../records.ts";

export interface Piece {
  readonly block: Block;
  readonly madeUp: boolean;
  readonly origin?: Origin;
  /** Of a result that reminders were put behind: how long it is without them, as text. */
  readonly bare?: number;
}

export interface Message {
  readonly role: "user" | "assistant" | "system";
  pieces: Piece[];
}

export const piece = (block: Block, madeUp: boolean, origin?: Origin): Piece => ({
  block,
  madeUp,
  ...(origin && { origin }),
});

/** Words of the program's own. */
export const made = (text: string): Piece => piece({ type: "text", text }, true);

/** What the program puts where a message would be empty. */
export const NOTHING = "(no content)";
