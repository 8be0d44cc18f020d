/** Parses what a smaller copy should leave out: `50%`, `12`, `oldest:80%`, `60k`. */
import { AppError } from "../../model/errors.ts";
import type { Reduction, TurnShare } from "../../model/reduce/reduction.ts";
import { memberOf } from "../../model/values/member.ts";
import type { ArgSpecs } from "../args.ts";

/** What a smaller copy leaves out. */
export const REDUCTION_ARGS = {
  dropTools: { kind: "flag", help: "leave out all tool calls and their results, and keep what was said" },
  tools: {
    kind: "text",
    value: "how",
    help: "oldest:80% leaves out the oldest calls with their results; truncate:2000 cuts calls and results that are longer than this many characters",
  },
  dropThinking: { kind: "flag", help: "leave out the model's thinking" },
  dropOldest: {
    kind: "text",
    value: "turns",
    help: "leave out the oldest turns: 50%, or a number of turns; a note at the start says so, and how to read them",
  },
  budget: {
    kind: "text",
    value: "tokens",
    help: "leave out enough to fit this many tokens, such as 60k: bulky results first, then old turns; the first request, errors and their fixes, files touched and the last turns are kept longest",
  },
  summarize: {
    kind: "flag",
    help: "with --drop-oldest or --budget: replace the turns that are left out by a summary, as `compact` does",
  },
} as const satisfies ArgSpecs;

interface ReductionWords {
  readonly dropTools: boolean;
  readonly tools: string | undefined;
  readonly dropThinking: boolean;
  readonly dropOldest: string | undefined;
  readonly budget: string | undefined;
}

export function toReduction(words: ReductionWords): Reduction {
  if (words.dropTools && words.tools !== undefined)
    throw new AppError("usage", "--drop-tools and --tools cannot be combined", "Use only one of them");
  return {
    ...(words.dropTools && { tools: "drop" }),
    ...(words.tools !== undefined && { tools: toTools(words.tools) }),
    ...(words.dropThinking && { dropThinking: true }),
    ...(words.dropOldest !== undefined && { dropOldest: toShare(words.dropOldest) }),
    ...(words.budget !== undefined && { budget: toTokens(words.budget) }),
  };
}

function toTools(text: string): NonNullable<Reduction["tools"]> {
  const [, oldest] = /^oldest:(\d{1,3})%$/.exec(text) ?? [];
  if (oldest !== undefined && Number(oldest) <= 100) return { oldest: Number(oldest) };
  const [, truncate] = /^truncate:(\d{1,9})$/.exec(text) ?? [];
  if (truncate !== undefined) return { truncate: Number(truncate) };
  throw new AppError(
    "usage",
    `"${text}" is not a valid value for --tools`,
    "Use oldest:80% or truncate:2000",
  );
}

function toShare(text: string): TurnShare {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (digits !== undefined && (percent === "" || number <= 100))
    return percent === "" ? { count: number } : { percent: number };
  throw new AppError(
    "usage",
    `"${text}" is not a valid value for --drop-oldest`,
    "Use a percentage such as 50%, or a number of turns",
  );
}

export function toTokens(text: string): number {
  const [, digits, unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?)([km]?)$/i.exec(text) ?? [];
  const scale = memberOf({ "": 1, k: 1e3, m: 1e6 }, unit.toLowerCase()) ?? 1;
  const tokens = Math.round(Number(digits) * scale);
  if (digits !== undefined && tokens > 0) return tokens;
  throw new AppError(
    "usage",
    `"${text}" is not a valid value for --budget`,
    "Use a number of tokens, such as 60k",
  );
}
