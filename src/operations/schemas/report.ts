/** What reports have in common. */
import type { Evidence } from "../../app/contract.ts";
import type { Zod } from "../operation.ts";
import { moment, placeFields } from "./inputs.ts";

/** A session as reports name it. */
export const reportedSession = (z: Zod) =>
  z.object({ source: z.string(), id: z.string(), title: z.string() });

/** Which work a report is about. */
export const reportFields = (z: Zod, span: string) => ({
  ...placeFields(z),
  since: moment(z)
    .exactOptional()
    .describe(`what was done since then (default: the ${span} before \`until\`)`),
  until: moment(z).exactOptional().describe("what was done until then (default: now)"),
});

/** How much was looked at. */
export const rangeFields = (z: Zod) => ({
  since: z.string(),
  until: z.string(),
  sessionCount: z.int(),
  turns: z.int().describe("only those in the range count"),
});

export const evidence = (z: Zod) =>
  z.array(
    z.object({
      session: reportedSession(z),
      turn: z.int().nullable().describe("null where it is about the session as a whole"),
      detail: z.string().nullable().describe("what was seen there"),
    }),
  );

export const toEvidenceJson = (all: readonly Evidence[]) =>
  all.map(({ session, turn, detail }) => ({ session, turn, detail: detail ?? null }));
