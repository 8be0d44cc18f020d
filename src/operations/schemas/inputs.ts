/** What several operations take: names of sessions, and where and when the work was. */
import type { Zod } from "../operation.ts";

/** A moment: ISO 8601 in JSON, a date for the app. */
export const moment = (z: Zod) =>
  z.codec(z.iso.datetime({ offset: true }), z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  });

export const sessionName = (z: Zod) =>
  z
    .string()
    .min(1)
    .describe(
      "any unique start of its id, its title, source:id, `latest`, or `.` for the latest of the folder",
    );

export const count = (z: Zod) => z.int().min(0);

export const limit = (z: Zod) => z.int().min(1).describe("at most this many");

export const cursor = (z: Zod) => z.string().describe("`next` of the page before");

export const next = (z: Zod) =>
  z.string().nullable().describe("the cursor of the next page; null when this is the last one");

export const sources = (z: Zod) =>
  z
    .array(z.string())
    .describe("only these sources: what stands before the colon in `source:id`, such as copilot-cli");

export const placeFields = (z: Zod) => ({
  sources: sources(z).exactOptional(),
  workspace: z
    .string()
    .exactOptional()
    .describe("only sessions in this folder or below it, or whose folder path contains this"),
  repository: z
    .string()
    .exactOptional()
    .describe("only repositories whose name contains this, or of this address"),
  branch: z
    .string()
    .exactOptional()
    .describe("only this branch; a part of its name between slashes also matches"),
  since: moment(z).exactOptional().describe("active since then"),
  until: moment(z).exactOptional().describe("last active until then"),
  tags: z.array(z.string()).exactOptional().describe("only sessions with all of these tags"),
});

export const exact = (z: Zod) =>
  z
    .boolean()
    .describe("true takes repository, branch, model and workspace as whole names, as facets have them");

export const place = (z: Zod) => z.strictObject(placeFields(z));

export const named = (z: Zod) => z.strictObject({ session: sessionName(z) });
