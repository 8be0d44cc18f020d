/** What keeps files that people have written out of a home and of our own folder. */
import { createOutputGuard, holdingsOf, type OutputGuard } from "../../src/app/export/output-guard.ts";
import type { Catalog } from "../../src/sources/catalog.ts";

export const hashTail = (catalog: Catalog, data: string): OutputGuard =>
  createOutputGuard(holdingsOf(catalog.sources, data));
