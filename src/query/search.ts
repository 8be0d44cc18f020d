/** Searches turns, and groups the hits by session, best first, in pages. */

import { AppError } from "../model/errors.ts";
import type { SessionFacets } from "../model/session/facets.ts";
import { SEARCH_ORDERS, type SearchOrder } from "../model/session/search-order.ts";
import { decodeCursor, encodeCursor } from "../model/values/cursor.ts";
import {
  type Hit,
  type SearchAnswer,
  type SearchOptions,
  search,
  searchFacets,
} from "../store/search/search.ts";
import type { SessionStore } from "../store/session-store.ts";

export interface FoundSession {
  readonly session: Hit["session"];
  readonly hits: readonly Hit[];
}

export interface SearchReport extends Omit<SearchAnswer, "isMore"> {
  readonly sessions: readonly FoundSession[];
  /** Where the next page begins, if there is one. */
  readonly next?: string;
  /** Of the sessions with hits, where they were asked for. */
  readonly facets?: SessionFacets;
}

export interface SearchPage extends SearchOptions {
  /** Count the sessions with hits by source, repository and so on. */
  readonly facets?: boolean;
  /** `next` of the page before. */
  readonly cursor?: string;
}

/**
 * The next hits that were on no page before. How good a hit is depends on all that is in the store, so a place in the
 * list would mean another hit as soon as sessions are added; a cursor therefore names what was shown.
 */
export function searchPage(db: SessionStore["db"], { cursor, facets, ...asked }: SearchPage): SearchReport {
  const page = beginPage(asked, cursor);
  const { isMore, ...answer } = search(db, { ...asked, ...page.widened });
  const { hits, next } = page.end({ ...answer, isMore }, keyOf);
  return {
    ...groupHits({ ...answer, hits }),
    ...(next !== undefined && { next }),
    ...(facets && { facets: searchFacets(db, asked) }),
  };
}

type Asked = Pick<SearchOptions, "text" | "role" | "sort" | "limit">;

interface Page {
  /** What to ask for, so that the hits of this page are among the answer. */
  readonly widened: Pick<Asked, "sort" | "limit">;
  /** The hits of this page, and the cursor of the next. */
  end<H extends Hit>(
    answer: { readonly hits: readonly H[]; readonly isMore: boolean },
    keyOf: (hit: H) => number,
  ): { readonly hits: readonly H[]; readonly next?: string };
}

export function beginPage(asked: Asked, cursor: string | undefined): Page {
  const question = hashOf(JSON.stringify([asked.text, asked.role ?? null]));
  const before = cursor === undefined ? undefined : fromCursor(cursor, question, asked.sort);
  const seen = new Set(before && unpack(before.seen));
  const sort = before?.sort ?? asked.sort;
  return {
    widened: { ...(sort && { sort }), limit: asked.limit + seen.size },
    end(answer, keyOf) {
      const unseen = answer.hits.filter((hit) => !seen.has(keyOf(hit)));
      const hits = unseen.slice(0, asked.limit);
      const all = [...seen, ...hits.map(keyOf)];
      const isMore =
        (answer.isMore || unseen.length > hits.length) && hits.length > 0 && all.length < MOST_SEEN;
      const next = encodeCursor(KIND, { question, sort: sort ?? "relevance", seen: pack(all) });
      return { hits, ...(isMore && { next }) };
    },
  };
}

/** Nobody looks through more, and a cursor has to fit into an address. */
const MOST_SEEN = 500;
const KIND = "search";

interface Cursor {
  readonly question: number;
  readonly sort: SearchOrder;
  /** Four bytes a hit. */
  readonly seen: string;
}

const pack = (keys: readonly number[]): string =>
  Buffer.from(new Uint32Array(keys).buffer).toString("base64url");

function unpack(text: string): number[] {
  const bytes = Buffer.from(text, "base64url");
  return Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) => bytes.readUInt32LE(at * 4));
}

function fromCursor(text: string, question: number, sort: SearchOrder | undefined): Cursor {
  const cursor = decodeCursor<Cursor>(
    KIND,
    text,
    ({ seen, sort: by }) =>
      typeof seen === "string" &&
      unpack(seen).length <= MOST_SEEN &&
      SEARCH_ORDERS.some((order) => order === by),
  );
  if (cursor.question === question && (sort === undefined || sort === cursor.sort)) return cursor;
  throw new AppError(
    "usage",
    "The cursor is of another search",
    "Keep the words, the role and the order for all pages of a search",
  );
}

/** By what does not change when its session is indexed again. */
export const keyOf = ({ session: { source, id }, where, label, turn, snippet }: Hit): number =>
  hashOf(JSON.stringify([source, id, where, turn ?? label ?? snippet]));

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** A session stands where its best hit stands. */
export function groupHits<T extends Pick<SearchAnswer, "hits">>(
  answer: T,
): T & Pick<SearchReport, "sessions"> {
  const groups = Map.groupBy(answer.hits, (hit) => `${hit.session.source}:${hit.session.id}`);
  const sessions = [...groups.values()].flatMap((hits) =>
    hits[0] ? [{ session: hits[0].session, hits }] : [],
  );
  return { ...answer, sessions };
}
