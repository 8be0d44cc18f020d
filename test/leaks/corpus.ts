/** Secrets of every kind in every kind of place, and how much of them a redactor leaves. */
import { CONTEXTS } from "./contexts.ts";
import { KINDS } from "./kinds.ts";
import { createRandom } from "./random.ts";

export interface Case {
  readonly kind: string;
  readonly context: string;
  readonly isHeldBack: boolean;
  readonly manner: "jsonl" | "text";
  readonly text: string;
  readonly secret: string;
}

/** `each` secrets of every kind, in the contexts in turn; the same seed gives the same cases. */
export function makeCases(seed: number, each: number, isHeldBack?: boolean): Case[] {
  const contexts = Object.entries(CONTEXTS).filter(
    ([, context]) => isHeldBack === undefined || context.isHeldBack === isHeldBack,
  );
  return Object.entries(KINDS).flatMap(([kind, make], k) => {
    const random = createRandom(seed * 1000 + k);
    return Array.from({ length: each }, (_, i): Case => {
      const [name, context] = contexts[(i + k) % contexts.length] as (typeof contexts)[number];
      const { text, secret } = make(random);
      const { manner, isHeldBack: isHeld } = context;
      return { kind, context: name, isHeldBack: isHeld, manner, text: context.write(text, random), secret };
    });
  });
}

/** As long a piece of a secret could be of use. */
const USEFUL = 10;

/** Whether so much of the secret is left, in whatever way it was written, that somebody could use it. */
export function isLeft(text: string, secret: string): boolean {
  const plain = text.replaceAll(/\\+n|\s+|\\+(?=["'\\/])/g, "");
  const wanted = secret.replaceAll(/-----[A-Z ]+-----|\s+/g, "");
  if (wanted.length <= USEFUL) return plain.includes(wanted);
  for (let at = 0; at + USEFUL <= wanted.length; at++)
    if (plain.includes(wanted.slice(at, at + USEFUL))) return true;
  return false;
}

export interface Recall {
  readonly found: number;
  readonly cases: number;
  readonly byKind: ReadonlyMap<string, { readonly found: number; readonly cases: number }>;
}

export function recallOf(cases: readonly Case[], isFound: (each: Case) => boolean): Recall {
  const byKind = new Map<string, { found: number; cases: number }>();
  for (const each of cases) {
    const row = byKind.get(each.kind) ?? { found: 0, cases: 0 };
    byKind.set(each.kind, { found: row.found + (isFound(each) ? 1 : 0), cases: row.cases + 1 });
  }
  const found = [...byKind.values()].reduce((sum, row) => sum + row.found, 0);
  return { found, cases: cases.length, byKind };
}
