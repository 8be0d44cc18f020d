/** The sources by their names, for the words of surfaces, which know no source themselves. */
import { SOURCES } from "../sources/registry.ts";

export const SOURCE_IDS: readonly string[] = SOURCES.map(({ id }) => id);
