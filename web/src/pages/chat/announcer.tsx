/** Reads a streaming answer to those who listen: whole sentences, once each. */
import { useEffect, useRef, useState } from "react";
import type { AnswerState } from "./answer-state.ts";

export function Announcer({
  state,
  isLive,
}: {
  readonly state: AnswerState | undefined;
  readonly isLive: boolean;
}) {
  const said = useRef(0);
  const [sentence, setSentence] = useState("");
  const text = (state?.pieces ?? [])
    .map((piece) =>
      piece.kind === "text"
        ? piece.text
        : piece.kind === "tool" && piece.state === "began"
          ? `\nRuns ${piece.name}.\n`
          : "",
    )
    .join("");
  useEffect(() => {
    if (!isLive) {
      if (said.current > 0) setSentence("The answer is over.");
      said.current = 0;
      return;
    }
    const rest = text.slice(said.current);
    const whole = /^[\s\S]*[.!?:\n](?=\s|$)/.exec(rest)?.[0];
    if (whole === undefined) return;
    said.current += whole.length;
    setSentence(whole.trim());
  }, [text, isLive]);
  return (
    <div className="sr-only" role="log" aria-live="polite">
      {sentence}
    </div>
  );
}
