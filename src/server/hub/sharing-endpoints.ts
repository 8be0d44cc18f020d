/** Addresses about who sees what: one's shares, the people of one's teams, and for admins the audit log. */

import type { Zod } from "../../operations/operation.ts";
import { cursor, limit, next } from "../../operations/schemas/inputs.ts";
import { toAuditJson, toShareJson } from "../../present/json/hub.ts";
import { answerJson } from "../endpoint.ts";
import { answerPage, operationInput, toPaged } from "../operation-endpoint.ts";
import type { HubEndpoint } from "./endpoint.ts";
import { createAsking } from "./question-endpoints.ts";

const shareFields = (z: Zod) => ({
  id: z.string(),
  team: z.string(),
  repository: z.string().nullable().describe("all of one's sessions in it, those to come included"),
  session: z.string().nullable().describe("or one session, by the hub's id"),
  sharedAt: z.string(),
  sessionCount: z.int().describe("how many sessions it is about"),
});

export function sharingEndpoints(z: Zod): readonly HubEndpoint[] {
  const asking = createAsking();
  const shareInput = operationInput(
    z,
    { method: "POST", path: "/api/hub/shares" },
    {
      name: "share",
      input: (zz) =>
        zz.strictObject({
          team: zz.string().min(1).max(200),
          repository: zz.string().min(1).max(500).exactOptional().describe("its name, or its address"),
          session: zz
            .string()
            .min(1)
            .max(2048)
            .exactOptional()
            .describe("the hub's id of a session of yours"),
        }),
    },
  );
  const unshareInput = operationInput(
    z,
    { method: "DELETE", path: "/api/hub/shares/{share}" },
    { name: "unshare", input: (zz) => zz.strictObject({ share: zz.string().min(1).max(200) }) },
  );
  const auditInput = operationInput(
    z,
    { method: "GET", path: "/api/hub/audit" },
    {
      name: "audit",
      input: (zz) =>
        zz.strictObject({ cursor: cursor(zz).exactOptional(), limit: limit(zz).exactOptional() }),
    },
  );
  return [
    {
      ...{
        method: "GET",
        path: "/api/hub/shares",
        summary: "List what you share, and with whom",
        needs: "read",
      },
      parameters: [],
      output: (zz) => zz.object({ shares: zz.array(zz.object(shareFields(zz))) }),
      answer: async ({ caller }, parts) =>
        answerJson({ shares: (await asking(parts)(caller.who).shares()).map(toShareJson) }),
    },
    {
      ...{
        method: "POST",
        path: "/api/hub/shares",
        summary: "Share a repository or a session with a team of yours",
      },
      ...{ needs: "push", parameters: shareInput.parameters },
      ...(shareInput.body && { body: shareInput.body }),
      output: (zz) =>
        zz.object({
          share: zz.object(shareFields(zz)),
          changed: zz.int().describe("sessions that others see now"),
        }),
      async answer(request, parts) {
        const wish = (await shareInput.read(request)) as {
          team: string;
          repository?: string;
          session?: string;
        };
        const { share, changed } = await asking(parts)(request.caller.who).share(wish);
        return answerJson({ share: toShareJson(share), changed });
      },
    },
    {
      ...{ method: "DELETE", path: "/api/hub/shares/{share}", summary: "Share it no longer", needs: "push" },
      parameters: unshareInput.parameters,
      output: (zz) => zz.object({ changed: zz.int().describe("sessions that others no longer see") }),
      async answer(request, parts) {
        const { share } = (await unshareInput.read(request)) as { share: string };
        return answerJson(await asking(parts)(request.caller.who).unshare(share));
      },
    },
    {
      ...{
        method: "GET",
        path: "/api/hub/people",
        summary: "List your teams and who is in them",
        needs: "read",
      },
      parameters: [],
      output: (zz) =>
        zz.object({
          teams: zz.array(zz.object({ team: zz.string(), members: zz.array(zz.string()) })),
          people: zz.array(zz.string()).describe("everybody whose name you may see"),
        }),
      answer: async ({ caller }, parts) => answerJson({ ...(await asking(parts)(caller.who).directory()) }),
    },
    {
      ...{
        method: "GET",
        path: "/api/hub/audit",
        summary: "List who did what, the latest first",
        needs: "admin",
      },
      parameters: auditInput.parameters,
      output: (zz) =>
        toPaged(
          zz,
          { isPaged: true },
          zz.object({
            entries: zz.array(
              zz.object({
                at: zz.string(),
                actor: zz.string().nullable().describe("who did it; null for the operator"),
                account: zz.string().nullable().describe("whose it was about"),
                action: zz.string(),
                subject: zz.string(),
                title: zz
                  .string()
                  .nullable()
                  .describe("of the session that it is about; null where you may not see that"),
                detail: zz.record(zz.string(), zz.unknown()),
              }),
            ),
            next: next(zz),
          }),
        ),
      async answer(request, parts) {
        const page = (await auditInput.read(request)) as { cursor?: string; limit?: number };
        return answerPage(
          { isPaged: true },
          toAuditJson(await asking(parts)(request.caller.who).audit(page)),
        );
      },
    },
  ];
}
