/** Tags: which there are, and giving them to sessions. */
import type { TagCount, TaggedSession } from "../../app/contract.ts";
import { LONGEST_TAG, MOST_TAGS } from "../../model/session/tags.ts";
import { defineOperation, type Zod } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";

/** More are tagged in several calls. */
const MOST_SESSIONS = 1000;

const names = (z: Zod) => z.array(z.string()).max(MOST_TAGS);

export const tags = defineOperation({
  name: "tags",
  kind: "question",
  summary: "List the tags that you gave sessions, and how many sessions have each",
  input: (z) => z.strictObject({ session: sessionName(z).exactOptional().describe("only its own tags") }),
  output: (z) =>
    z.object({
      tags: z
        .array(z.object({ tag: z.string(), count: z.int().describe("how many sessions have it") }))
        .describe("most first; those of one session in alphabetical order"),
    }),
  run: (app, input, call) => app.tags(input, call),
  toJson: (found: readonly TagCount[]) => ({ tags: found }),
});

export const tag = defineOperation({
  name: "tag",
  kind: "change",
  summary: "Give sessions tags, or take them away; no file of an agent changes",
  input: (z) =>
    z.strictObject({
      sessions: z.array(sessionName(z)).min(1).max(MOST_SESSIONS),
      add: names(z)
        .exactOptional()
        .describe(
          `tags to give each of them, of at most ${LONGEST_TAG} characters and without commas; kept in lower case`,
        ),
      remove: names(z).exactOptional().describe("tags to take away, as far as they have them"),
    }),
  output: (z) =>
    z.object({
      sessions: z
        .array(z.object({ source: z.string(), id: z.string(), tags: z.array(z.string()) }))
        .describe(`with the tags that each has now, at most ${MOST_TAGS}`),
    }),
  run: (app, input, call) => app.tag(input, call),
  toJson: (sessions: readonly TaggedSession[]) => ({ sessions }),
});
