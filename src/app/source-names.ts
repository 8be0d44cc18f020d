/** The sources by their names, for the words of surfaces, which know no source themselves. */
import { SOURCES } from "../sources/registry.ts";

export const SOURCE_IDS: readonly string[] = SOURCES.map(({ id }) => id);

const TARGETS = SOURCES.filter(({ handoff }) => handoff).map(({ id }) => id);

/** Every program that takes sessions of others, each as `word` says it: "a, b or c". */
export const handoffTargets = (word = (id: string): string => id): string =>
  new Intl.ListFormat("en-GB", { type: "disjunction" }).format(TARGETS.map(word));
