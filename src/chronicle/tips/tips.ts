/** Makes the tips: asks every detector, and takes secrets out of what they quote. */
import type { Redact, ReportRange } from "../report.ts";
import { commandKeepsFailing, toolKeepsFailing, wrongCommandFirst } from "./detectors/commands.ts";
import type { Detector } from "./detectors/detector.ts";
import { contextFilled, fileReadAgain, fileReadEverywhere } from "./detectors/outputs.ts";
import { largeModel, nudged, pastedOutput, questionAgain, vagueStart } from "./detectors/questions.ts";
import {
  compactedOften,
  compactionLostTask,
  correctionAgain,
  leftOpen,
  noInstructions,
} from "./detectors/sessions.ts";
import { type Finding, TIP_KINDS, type TipKind } from "./finding.ts";
import type { Habits } from "./habits.ts";

export const DETECTORS: Readonly<Record<TipKind, Detector>> = {
  "context-filled": contextFilled,
  "command-keeps-failing": commandKeepsFailing,
  "wrong-command-first": wrongCommandFirst,
  "tool-keeps-failing": toolKeepsFailing,
  "compaction-lost-task": compactionLostTask,
  "compacted-often": compactedOften,
  "correction-again": correctionAgain,
  "no-instructions": noInstructions,
  "question-again": questionAgain,
  "left-open": leftOpen,
  "file-read-again": fileReadAgain,
  "file-read-everywhere": fileReadEverywhere,
  nudged,
  "pasted-output": pastedOutput,
  "vague-start": vagueStart,
  "large-model": largeModel,
};

export interface Tips {
  readonly since: string;
  readonly until: string;
  /** How much was looked at. */
  readonly sessionCount: number;
  readonly turns: number;
  /** What costs most first. */
  readonly findings: readonly Finding[];
}

/** Of each kind, those with the most evidence. */
const MOST_OF_A_KIND = 5;
/** Of each finding; nobody looks at more. */
const MOST_EVIDENCE = 20;

export function makeTips(habits: Habits, { since, until }: ReportRange, redact: Redact): Tips {
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    sessionCount: habits.sessions.size,
    turns: habits.sessions.values().reduce((sum, { turns }) => sum + turns, 0),
    findings: findTips(habits, redact),
  };
}

/** In the order of `TIP_KINDS`. */
export function findTips(habits: Habits, redact: Redact): Finding[] {
  return TIP_KINDS.flatMap((kind) =>
    DETECTORS[kind](habits)
      .toSorted((a, b) => b.evidence.length - a.evidence.length)
      .slice(0, MOST_OF_A_KIND),
  ).map((finding) => ({
    ...finding,
    title: redact(finding.title),
    suggestion: redact(finding.suggestion),
    evidence: finding.evidence.slice(0, MOST_EVIDENCE).map(({ session, turn, detail }) => ({
      session: { ...session, title: redact(session.title) },
      turn,
      ...(detail !== undefined && { detail: redact(detail) }),
    })),
  }));
}
