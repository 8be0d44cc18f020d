/** Asks, once for each hub, whether what is listed may be sent. */
import type { App } from "../../app/contract.ts";
import { AppError } from "../../model/errors.ts";
import { hubWhoami } from "../../operations/hub/hub-login.ts";
import { indexStore } from "../../operations/upkeep/index-store.ts";
import { isListed, printConsent } from "../print/answers/sync.ts";
import { isAgreed } from "../writing.ts";
import { pushFilter, type SyncCall } from "./called.ts";

export type Consent = "given-before" | "given" | "refused";

export async function askConsent(called: SyncCall, app: App): Promise<Consent> {
  const { args, out } = called;
  // What is listed has to be what is there.
  await out.progress("Indexing", (call) => indexStore.run(app, {}, call));
  const status = await (await app.sync()).status({}, pushFilter(called));
  const isGiven = status.gates.some(({ gate, isOpen }) => gate === "cloud" && isOpen);
  // Who is not logged in learns so from the push itself.
  if (isGiven || status.hub === undefined) return "given-before";
  if (args.yes) return "given";
  const { user } = await hubWhoami.run(app, {});
  if (!status.repositories.some(isListed(status)))
    throw new AppError(
      "consent-needed",
      "There is nothing to agree to yet: no session here belongs to a repository that may be sent",
      "Allow one, or a folder: rethread sync allow owner/name, or --folder <path>",
    );
  const isGranted = await isAgreed(
    args,
    out,
    async () => printConsent(status, user, { ...out.remarks, isDemo: app.demo !== undefined }),
    "what the hub knows",
  );
  return isGranted ? "given" : "refused";
}
