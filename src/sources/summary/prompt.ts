/** The prompt for a model that writes a summary: the sections, and the conversation as text of limited length. */

import type { Part, Turn } from "../../model/session/turns.ts";
import { clip, fitText, type Summary } from "../../model/summary/summary.ts";
import { TITLE_TAG, toSummaryText, withoutTitle } from "./tags.ts";

export interface ConversationText {
  add(turn: Turn): void;
  /** As a summarizer does. */
  restart(earlier?: Summary, isLeft?: (turn: number) => boolean): void;
  text(): string;
}

/** In characters, some sixty thousand tokens: what most models take. */
const ROOM = 240_000;
/** Less than this is useless; of longer conversations only the first and the last turns are included. */
const LEAST = 500;

/** `turns` is how many there will be at most; they share the room evenly. */
export function createConversation(turns: number): ConversationText {
  const room = Math.max(LEAST, Math.floor(ROOM / Math.max(1, turns)));
  const most = Math.floor(ROOM / room);
  let texts: { readonly turn: number; readonly text: string }[] = [];
  let earlier = "";
  let left = 0;
  return {
    add(turn) {
      texts.push({ turn: turn.index, text: fitText(tell(turn, room), room) });
      if (texts.length <= most) return;
      texts.splice(Math.floor(most / 4), 1);
      left++;
    },
    restart(summary, isLeft = () => false) {
      [texts, left] = [texts.filter(({ turn }) => isLeft(turn)), 0];
      earlier = summary ? `${withoutTitle(toSummaryText(summary))}\n\n` : "";
    },
    text() {
      const at = Math.floor(most / 4);
      const gap = left > 0 ? [`[… ${left} turns left out …]`] : [];
      const told = texts.map(({ text }) => text);
      return earlier + [...told.slice(0, at), ...gap, ...told.slice(at)].join("\n\n");
    },
  };
}

function tell(turn: Turn, room: number): string {
  const share = Math.max(160, Math.floor(room / (turn.parts.length + 2)));
  const parts = turn.parts.flatMap((part) => tellPart(part, share));
  return [`[turn ${turn.index}] User: ${fitText(turn.user, Math.max(share, room / 3))}`, ...parts].join("\n");
}

function tellPart(part: Part, share: number): string[] {
  if (part.kind === "text" && part.text.trim() !== "") return [`Agent: ${fitText(part.text, share)}`];
  if (part.kind !== "tool") return [];
  const input = clip(part.act?.command ?? JSON.stringify(part.input) ?? "", Math.floor(share / 2));
  const result = fitText(part.result ?? "", Math.floor(share / 2));
  return [`Tool ${part.name} (${part.status}): ${input}\n${result}`];
}

export const toPrompt = (conversation: string, followed: number): string => `\
Summarize the conversation below between a user and a coding agent. Your summary replaces it: the agent that continues has \
nothing else of it${followed > 0 ? `, and then reads the ${followed} turns that came after it word for word` : ""}. \
Do not use tools, do not ask questions, do not continue the work. Answer with these seven elements and nothing else:

<overview>What the user wants, and the approach, in two or three sentences.</overview>
<history>Each request in order, with what was done and what came of it.</history>
<work_done>Files created, changed or deleted; what works, what does not, what is untested.</work_done>
<technical_details>Decisions with their reasons, errors and their fixes, quirks, what remains uncertain.</technical_details>
<important_files>The files that matter for continuing, each with why and what was changed.</important_files>
<next_steps>What is left to do, and open questions.</next_steps>
<${TITLE_TAG}>A title of two to six words</${TITLE_TAG}>

Be concise, but keep every requirement, decision, name and number that the work still needs.

The conversation:

${conversation}
`;
