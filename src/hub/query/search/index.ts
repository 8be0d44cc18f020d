/** Asks the database for rows with some words, and weighs them as the local index does. */
import type { SearchOrder } from "../../../model/session/search-order.ts";
import type { Candidate } from "../../../store/search/find.ts";
import type { SearchQuery } from "../../../store/search/query.ts";
import type { Rows, Transaction } from "../../database/connect.ts";
import type { SessionRef } from "../filter.ts";
import { toWays, type Way } from "./tsquery.ts";

/** A row that was found, by all that names it. */
export interface HubRow extends Candidate {
  readonly account: string;
  readonly hubSession: string;
  readonly turnIndex?: number;
  readonly textId?: string;
  readonly hits: Readonly<Record<string, number>>;
}

export interface SearchIndex {
  /** At most so many turns, and as many other texts. */
  find(tsquery: string, query: SearchQuery, options: FindOptions): Promise<HubRow[]>;
  /** In how many rows each is found, counted up to `most`. */
  count(tsqueries: readonly string[], most: number): Promise<number[]>;
  /** Which of these words there are, or words that begin so; the most common first. */
  words(tsquery: string, slips: readonly string[], beginning?: string): Promise<string[]>;
}

export interface FindOptions {
  readonly limit: number;
  readonly sort?: SearchOrder | undefined;
}

/** Of more rows than this the newest are weighed; several words say more together than one does. */
const WEIGHED = { ofOne: 500, ofSeveral: 3000 };
/** Whether a word is rarer than this makes no difference any more. */
const COUNTED = 5000;
const LOOKED_AT = 1000;
/** Of BM25, as FTS5 has them. */
const [K1, B] = [1.2, 0.75];

/** Of `scope` alone, if it is given. */
export function openIndex(tx: Transaction, scope: readonly SessionRef[] | undefined): SearchIndex {
  const accounts = scope?.map(({ account }) => account) ?? null;
  const sessions = scope?.map(({ id }) => id) ?? null;
  let ids = 0;
  let measured: Promise<Measure> | undefined;
  const count = async (tsqueries: readonly string[], most: number): Promise<number[]> => {
    const [row] = await tx.query("SELECT hub.search_counts($1, $2) AS counts", [tsqueries, most]);
    return ((row?.counts ?? []) as unknown as readonly number[]).map(Number);
  };
  return {
    count,
    async find(tsquery, query, { limit, sort }) {
      if (tsquery === "") return [];
      const { ways, lexemes, beginnings } = toWays(query);
      const weighed = sort === "newest" ? limit : ways.length > 1 ? WEIGHED.ofSeveral : WEIGHED.ofOne;
      const values = [tsquery, lexemes, beginnings, accounts, sessions, Math.max(weighed, limit), limit];
      const ask = (name: "turns" | "others"): Promise<Rows> =>
        tx.query(`SELECT * FROM hub.search_${name}($1, $2, $3, $4, $5, $6, $7)`, values);
      const rows = [...(await ask("turns")), ...(await ask("others"))];
      if (rows.length === 0) return [];
      measured ??= measure(tx);
      const rarity = await rarityOf(ways, count, await measured);
      // The newest has the largest number, as in the local store.
      const sorted = rows.toSorted((a, b) => compare(String(a.at ?? ""), String(b.at ?? "")));
      return sorted.map((row) => toRow(row, ++ids, rarity));
    },
    async words(tsquery, slips, beginning = "") {
      const rows = await tx.query("SELECT word, docs FROM hub.search_words($1, $2, $3, $4)", [
        ...[tsquery, slips, beginning === "" ? "" : `${beginning}%`, LOOKED_AT],
      ]);
      return rows
        .toSorted((a, b) => Number(b.docs) - Number(a.docs) || compare(String(a.word), String(b.word)))
        .map(({ word }) => String(word));
    },
  };
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Ids of sessions are unique within an account. */
export const sessionKey = (account: string, session: string): string => `${account} ${session}`;

interface Measure {
  readonly rows: number;
  readonly average: number;
}

async function measure(tx: Transaction): Promise<Measure> {
  const [row] = await tx.query("SELECT rows, average FROM hub.search_measure()");
  return { rows: Number(row?.rows), average: Number(row?.average) || 1 };
}

interface Rarity {
  readonly weights: readonly (readonly [way: Way, weight: number])[];
  readonly average: number;
}

/** A word tells the more, the fewer rows have it. Of a single one that is the same for all rows. */
async function rarityOf(
  ways: readonly Way[],
  count: SearchIndex["count"],
  { rows, average }: Measure,
): Promise<Rarity> {
  const counts =
    ways.length < 2
      ? ways.map(() => 0)
      : await count(
          ways.map(({ tsquery }) => tsquery),
          COUNTED,
        );
  const weights = ways.map((way, at) => {
    const n = counts[at] ?? 0;
    const docs = n >= COUNTED ? Math.max(n, rows / 10) : n;
    return [way, Math.max(Math.log((Math.max(rows, docs) - docs + 0.5) / (docs + 0.5)), 1e-6)] as const;
  });
  return { weights: ways.length < 2 ? ways.map((way) => [way, 1]) : weights, average };
}

function toRow(row: Rows[number], id: number, { weights, average }: Rarity): HubRow {
  const hits = (row.hits ?? {}) as unknown as Readonly<Record<string, number>>;
  const length = K1 * (1 - B + (B * Number(row.size)) / average);
  const score = weights.reduce((sum, [way, weight]) => {
    const count = way.count(hits);
    return sum + (weight * count * (K1 + 1)) / (count + length);
  }, 0);
  const [account, hubSession] = [String(row.account_id), String(row.session_id)];
  return {
    ...{ id, account, hubSession, session: sessionKey(account, hubSession) },
    ...{ where: String(row.source_type), score, hits },
    ...(typeof row.label === "string" && { label: row.label }),
    ...(row.turn_index !== null && { turnIndex: Number(row.turn_index) }),
    ...(typeof row.source_id === "string" && { textId: row.source_id }),
  };
}
