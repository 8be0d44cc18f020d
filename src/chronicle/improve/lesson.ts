/** A lesson: what past sessions of a repository could have been told before, as one line for its instructions. */
import { hash } from "node:crypto";
import type { Evidence } from "../report.ts";

export const LESSON_KINDS = ["correction", "wrong-command", "tests-repeated", "reverted"] as const;
export type LessonKind = (typeof LESSON_KINDS)[number];

export interface Lesson {
  /** Stays the same for the same line of the same repository. */
  readonly id: string;
  readonly kind: LessonKind;
  /** The key of the place. */
  readonly place: string;
  readonly repository: string | undefined;
  readonly title: string;
  readonly suggestion: string;
  /** What to write into the instructions. */
  readonly line: string;
  readonly evidence: readonly Evidence[];
}

/** From when on something is worth a line. */
export const LESSON_THRESHOLDS = {
  /** A correction that is no rule by itself counts when it was given in so many sessions. */
  correction: { sessions: 2 },
  /** So many failed runs before one that worked, with changes in between, in so many sessions. */
  testsRepeated: { failures: 2, sessions: 2 },
  /** Changes to a file were taken back in so many sessions. */
  reverted: { sessions: 2 },
} as const;

export const toLesson = (lesson: Omit<Lesson, "id" | "suggestion">): Lesson => ({
  ...lesson,
  id: hash("sha256", `${lesson.place}\n${lesson.line}`).slice(0, 8),
  suggestion: `Add to the instructions: ${lesson.line}`,
});
