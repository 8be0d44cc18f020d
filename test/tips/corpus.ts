/** All labelled cases, and the half of them that no threshold was chosen by. */
import { hash } from "node:crypto";
import type { TipCase } from "./case.ts";
import { commandCases } from "./cases/commands.ts";
import { outputCases } from "./cases/outputs.ts";
import { questionCases } from "./cases/questions.ts";
import { sessionCases } from "./cases/sessions.ts";

export const CASES: readonly TipCase[] = [...outputCases, ...commandCases, ...questionCases, ...sessionCases];

export type Half = "open" | "held back";

/** Every second one of those with the same label, in an order that nobody chose. */
export function casesOf(half: Half): TipCase[] {
  const alike = Map.groupBy(CASES, ({ about, expect }) => `${about} ${expect.includes(about)}`);
  return [...alike.values()].flatMap((cases) =>
    cases
      .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      .filter((_, at) => (at % 2 === 0) === (half === "open")),
  );
}

const keyOf = ({ about, name }: TipCase): string => hash("sha256", `${about}: ${name}`);
