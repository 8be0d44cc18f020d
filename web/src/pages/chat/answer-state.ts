/** What has come of an answer so far, folded from the events of the conversation. */
import type { ChatEvent } from "../../../../src/client/index.ts";

export type Piece =
  | { readonly kind: "text"; readonly message: string; readonly text: string }
  | { readonly kind: "thinking"; readonly text: string }
  | {
      readonly kind: "tool";
      readonly call: string;
      readonly name: string;
      readonly state: "began" | "done" | "failed";
      readonly says?: string;
      /** Why it failed. */
      readonly reason?: string;
    }
  | { readonly kind: "notice"; readonly text: string; readonly isError: boolean };

export interface AnswerState {
  readonly pieces: readonly Piece[];
  readonly finished?: Extract<ChatEvent, { kind: "finished" }>;
}

export const NOTHING_YET: AnswerState = { pieces: [] };

export function withEvent(state: AnswerState, event: ChatEvent): AnswerState {
  const { pieces } = state;
  switch (event.kind) {
    case "text":
      return { ...state, pieces: appendTo(pieces, event, (last) => last.message === event.message) };
    case "thinking":
      return { ...state, pieces: appendTo(pieces, event, () => true) };
    case "tool":
      return { ...state, pieces: withTool(pieces, event) };
    case "notice":
      return { ...state, pieces: [...pieces, event] };
    case "finished":
      return { ...state, finished: event };
    default:
      return state;
  }
}

/** A piece of text belongs to the one before it, when that is of the same message. */
function appendTo<P extends Extract<Piece, { kind: "text" | "thinking" }>>(
  pieces: readonly Piece[],
  piece: P,
  isOne: (last: P) => boolean,
): readonly Piece[] {
  const last = pieces.at(-1);
  if (last?.kind !== piece.kind || !isOne(last as P)) return [...pieces, piece];
  return [...pieces.slice(0, -1), { ...piece, text: last.text + piece.text }];
}

function withTool(
  pieces: readonly Piece[],
  { call, name, state, says }: Extract<ChatEvent, { kind: "tool" }>,
): readonly Piece[] {
  const at = pieces.findLastIndex((piece) => piece.kind === "tool" && piece.call === call);
  const before = pieces[at];
  if (before?.kind !== "tool")
    return [...pieces, { kind: "tool", call, name, state, ...(says !== undefined && { says }) }];
  const after: Piece = {
    ...before,
    state,
    // At the end, what it says is what became of it.
    ...(says !== undefined &&
      (state === "failed" ? { reason: says } : before.says === undefined && { says })),
  };
  return pieces.with(at, after);
}
