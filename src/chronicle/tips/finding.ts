/** A tip: a pattern in one's own usage that costs time or tokens, where it was seen, and what to do about it. */
import type { Remedy } from "../../model/remedy.ts";
import type { Evidence } from "../report.ts";

export const TIP_KINDS = [
  "context-filled",
  "command-keeps-failing",
  "wrong-command-first",
  "tool-keeps-failing",
  "compaction-lost-task",
  "compacted-often",
  "correction-again",
  "no-instructions",
  "question-again",
  "left-open",
  "file-read-again",
  "file-read-everywhere",
  "nudged",
  "pasted-output",
  "vague-start",
  "large-model",
] as const;

export type TipKind = (typeof TIP_KINDS)[number];

export interface Finding {
  readonly kind: TipKind;
  /** What was found, in one sentence. */
  readonly title: string;
  /** What to do about it. */
  readonly suggestion: string;
  readonly evidence: readonly Evidence[];
  /** The next step, where rethread can take it. */
  readonly remedy?: Remedy;
}
