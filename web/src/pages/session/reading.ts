/** What the parts of the page share about the session that is read. */
import { createContext, useContext, useSyncExternalStore } from "react";
import type { Origin } from "../../../../src/model/session/session.ts";
import type { ChangeKind } from "../../change/change.ts";
import { createStore, type Store } from "../../lib/store.ts";
import type { Folds } from "./conversation/rows.ts";
import type { Match } from "./find/locate.ts";
import type { ImageRequest } from "./images/image-dialog.tsx";
import type { SessionParts } from "./parts.ts";
import type { CountedTokens } from "./turn-tokens.ts";
import type { Outline, Session } from "./types.ts";

export interface Reading {
  /** `source:id` */
  readonly key: string;
  readonly parts: SessionParts;
  readonly session: Session;
  readonly outline: Outline;
  /** Why it cannot be read any more; what is shown was read before. */
  readonly error: Error | null;
  readonly state: ReadingState;
  readonly showRecord: (origin: Origin, about: string) => void;
  readonly showImages: (request: ImageRequest) => void;
  /** Why a change cannot be made to it; asked once, not by each turn. */
  readonly refusalOf: (kind: ChangeKind) => string | undefined;
}

/** Outlives what is rendered: rows come and go while the list scrolls. */
export interface ReadingState {
  readonly folds: Store<Folds>;
  /** The turn at the top of what is seen. */
  readonly current: Store<number>;
  /** Words that are marked wherever they stand. */
  readonly marked: Store<Marked>;
  /** Set by the conversation: goes to a turn, or to a row of it. */
  readonly jump: Jump;
  readonly isFinding: Store<boolean>;
  /** Set by the context lens. */
  readonly tokens: Store<CountedTokens>;
}

export interface Jump {
  to: (turn: number, row?: string) => void;
  toEnd: () => void;
  toMatch: (match: Match) => void;
  /** Opens all calls of a turn, or closes them when all are open. */
  toggleTurn: (turn: number) => void;
}

export interface Marked {
  readonly text: string;
  /** The row that has the match which is looked at, and which one of that row it is. */
  readonly row?: string;
  readonly nth?: number;
}

export const createReadingState = (): ReadingState => ({
  folds: createStore<Folds>(new Map()),
  current: createStore(0),
  marked: createStore<Marked>({ text: "" }),
  jump: {
    to: () => undefined,
    toEnd: () => undefined,
    toMatch: () => undefined,
    toggleTurn: () => undefined,
  },
  isFinding: createStore(false),
  tokens: createStore<CountedTokens>(undefined),
});

export const ReadingContext = createContext<Reading | undefined>(undefined);

export function useReading(): Reading {
  const reading = useContext(ReadingContext);
  if (!reading) throw new Error("Only inside a session page");
  return reading;
}

/** Whether a row is open, and how to turn it. */
export function useFold(key: string, isOpenAtFirst = false): [boolean, (isOpen: boolean) => void] {
  const { folds } = useReading().state;
  const isOpen = useSyncExternalStore(folds.subscribe, () => folds.get().get(key) ?? isOpenAtFirst);
  return [isOpen, (next) => folds.set((before) => new Map(before).set(key, next))];
}
