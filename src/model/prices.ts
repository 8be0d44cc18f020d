/** Estimates what tokens cost, from a table of prices that the user keeps. Nothing is estimated without a price. */
import { memberOf } from "./values/member.ts";
import { modelName } from "./values/model-name.ts";

/** In units of the currency per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Of tokens that come from the cache, and of those that are written to it. */
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

export interface Prices {
  /** When these were the prices: YYYY-MM-DD. */
  readonly date: string;
  readonly currency: string;
  /** By the name of the model, in any spelling. */
  readonly models: Readonly<Record<string, Price>>;
}

export interface SpentTokens {
  /** All that was sent, with what came from a cache or was written to one. */
  readonly inputTokens: number;
  readonly cachedTokens: number;
  readonly cacheWrittenTokens: number;
  readonly outputTokens: number;
}

export interface Cost {
  readonly amount: number;
  readonly currency: string;
  /** The date of the prices. */
  readonly date: string;
  /** Models whose tokens are not in the amount, because a price is missing. */
  readonly unpriced: readonly string[];
}

const MILLION = 1e6;

/** Nothing where a price is missing for some of the tokens. */
export function costOf(model: string, tokens: SpentTokens, { models }: Prices): number | undefined {
  const price =
    memberOf(models, model) ?? Object.entries(models).find(([name]) => modelName(name) === model)?.[1];
  if (!price) return undefined;
  const { inputTokens, cachedTokens, cacheWrittenTokens, outputTokens } = tokens;
  const parts: [number, number | undefined][] = [
    [Math.max(0, inputTokens - cachedTokens - cacheWrittenTokens), price.input],
    [cachedTokens, price.cacheRead],
    [cacheWrittenTokens, price.cacheWrite],
    [outputTokens, price.output],
  ];
  let sum = 0;
  for (const [count, each] of parts) {
    if (count > 0 && each === undefined) return undefined;
    sum += (count * (each ?? 0)) / MILLION;
  }
  return sum;
}

/** Of all models; nothing where not one of them has a price. */
export function totalCost(
  shares: readonly (SpentTokens & { readonly model: string })[],
  prices: Prices,
): Cost | undefined {
  const spent = shares.filter(({ inputTokens, outputTokens }) => inputTokens + outputTokens > 0);
  const costs = spent.map((share) => costOf(share.model, share, prices));
  if (costs.every((cost) => cost === undefined)) return undefined;
  return {
    amount: costs.reduce<number>((sum, cost) => sum + (cost ?? 0), 0),
    currency: prices.currency,
    date: prices.date,
    unpriced: spent.flatMap(({ model }, at) => (costs[at] === undefined ? [model] : [])),
  };
}
