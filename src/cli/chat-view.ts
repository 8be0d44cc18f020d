/** Shows an answer as it arrives: its text, tool calls and notices. */
import type { BridgeEvent } from "../app/contract.ts";
import type { Page } from "../present/page.ts";
import { besideLines } from "./print/terminal/chat.ts";
import { createTyping, type TypingPlace } from "./print/terminal/typing.ts";

export interface ChatView {
  show(event: BridgeEvent): void;
  /** Whatever comes next begins on a line of its own. */
  end(): void;
}

/** `beside`: where lines go that are not the answer. */
export function createChatView(place: TypingPlace & Page, beside: (line: string) => void): ChatView {
  const typing = createTyping(place);
  let message: string | undefined;
  // The program takes a while to start, so something is shown meanwhile.
  let isWaiting = place.isLive;
  if (isWaiting) place.write(place.style.dim("…"));
  const heard = (): void => {
    if (isWaiting) place.write("\r\x1b[J");
    isWaiting = false;
  };
  return {
    show(event) {
      heard();
      if (event.kind === "text") {
        // A second message of the same answer, with nothing in between.
        if (message !== undefined && message !== event.message) {
          typing.end();
          place.write("\n");
        }
        message = event.message;
        typing.add(event.text);
        return;
      }
      const lines = besideLines(event, place);
      if (lines.length === 0) return;
      typing.end();
      message = undefined;
      for (const line of lines) beside(line);
    },
    end() {
      heard();
      typing.end();
    },
  };
}
