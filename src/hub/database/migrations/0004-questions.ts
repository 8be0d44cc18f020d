/** What the questions of a team need: search, views for people's own queries, and sharing. */
import type { HubMigration } from "../migration.ts";
import { search } from "./0004/search.ts";
import { sharing } from "./0004/sharing.ts";
import { STORE_VIEWS } from "./0004/views.ts";

export const questions: HubMigration = {
  id: "0004-questions",
  why: "a team searches, queries and shares its history",
  up: (layout) => [...sharing(layout), ...search(layout), ...STORE_VIEWS],
};
