/** One message of a conversation as it is kept: what was asked, or what was answered and how that ended. */
import { RotateCcw, StepForward } from "lucide-react";
import { memo } from "react";
import type { Answer } from "../../../../src/client/index.ts";
import { compact } from "../../../../src/present/text/measure.ts";
import { clean } from "../../text/clean.ts";
import { Markdown } from "../../text/markdown.tsx";
import { Button } from "../../ui/button.tsx";
import { Time } from "../../ui/time.tsx";
import type { Piece } from "./answer-state.ts";
import css from "./message.module.css";
import { Pieces, ToolLine } from "./pieces.tsx";

export type Message = Answer<"chat">["messages"][number];

export const Asked = memo(function Asked({ text, at }: { readonly text: string; readonly at?: string }) {
  return (
    <article className={css.asked} aria-label="You">
      <p>{clean(text)}</p>
      {at !== undefined && (
        <footer>
          <Time at={at} />
        </footer>
      )}
    </article>
  );
});

/** The last message has no answer, not even a part of one. */
export function Unanswered({ agent, onAgain }: { readonly agent: string; readonly onAgain: () => void }) {
  return (
    <article className={css.answered} aria-label={agent}>
      <div className={css.end} data-tone="bad">
        <span>
          Interrupted before anything was said, unless another program is still waiting for the answer
        </span>
        <span className={css.buttons}>
          <Button size="small" icon={<RotateCcw />} onClick={onAgain}>
            Send again
          </Button>
        </span>
      </div>
    </article>
  );
}

/** What an answer cost is often less than a cent. */
const dollars = (cost: number): string => `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;

const ENDS: Readonly<Record<string, string>> = {
  cancelled: "Stopped by you",
  failed: "It failed",
  interrupted: "Interrupted: the server stopped before the answer was whole",
};

export function Answered({
  agent,
  message,
  pieces,
  isLast,
  onAgain,
  onContinue,
}: {
  /** Who answered. */
  readonly agent: string;
  readonly message: Message;
  /** As they came, where this page saw them come. */
  readonly pieces: readonly Piece[] | undefined;
  readonly isLast: boolean;
  readonly onAgain: () => void;
  readonly onContinue: () => void;
}) {
  const { text, state, tools, reason, usage, at } = message;
  const end = state === null ? undefined : ENDS[state];
  const tokens = usage?.outputTokens;
  return (
    <article className={css.answered} aria-label={agent}>
      {pieces ? (
        <Pieces pieces={pieces.filter((piece) => piece.kind !== "notice" || piece.text !== reason)} />
      ) : (
        <>
          {tools.map(({ name, says, isDone }, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the tools of an answer that is over stay as they are
            <ToolLine key={number} name={name} says={says} state={isDone ? "done" : "failed"} />
          ))}
          {text !== "" && <Markdown text={text} />}
        </>
      )}
      {end !== undefined && (
        <div className={css.end} data-tone={state === "cancelled" ? undefined : "bad"}>
          <span>
            {end}
            {reason !== null && `: ${clean(reason)}`}
            {text === "" && state !== "failed" && ". Nothing had been said yet"}
          </span>
          {isLast && (
            <span className={css.buttons}>
              <Button size="small" icon={<RotateCcw />} onClick={onAgain}>
                Send again
              </Button>
              {(text !== "" || tools.length > 0) && (
                <Button size="small" icon={<StepForward />} onClick={onContinue}>
                  Continue
                </Button>
              )}
            </span>
          )}
        </div>
      )}
      <footer>
        <Time at={at} />
        {tokens !== undefined && <span>{compact(tokens)} tokens</span>}
        {usage?.costUsd !== undefined && <span>{dollars(usage.costUsd)}</span>}
      </footer>
    </article>
  );
}
