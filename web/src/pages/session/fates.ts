/** What a budget would do to the session that is shown, while the lens is dragged; the conversation dims it. */
import { useSyncExternalStore } from "react";
import { createStore } from "../../lib/store.ts";

/** `cut`: shortened; `dropped`: left out. What is kept has no fate. */
export type Fate = "cut" | "dropped";

export interface Fates {
  /** In tokens; null while no budget is set. */
  readonly budget: number | null;
  /** Of tool calls, by their id. */
  readonly byCall: ReadonlyMap<string, Fate>;
  /** Of whole turns, counted from 0. */
  readonly byTurn: ReadonlyMap<number, Fate>;
  /** Of all thinking. */
  readonly thinking: Fate | null;
}

export const NO_FATES: Fates = { budget: null, byCall: new Map(), byTurn: new Map(), thinking: null };

export const fates = createStore<Fates>(NO_FATES);

/** Only what a component asks for makes it render anew: a drag changes the store many times a second. */
export const useFate = (read: (all: Fates) => Fate | null | undefined): Fate | undefined =>
  useSyncExternalStore(fates.subscribe, () => read(fates.get()) ?? undefined);
