/** What the plans of all changes share. */
import type { App, Call, EditApp, KeptPlan } from "../../app/contract.ts";
import { toPlanJson } from "../../present/json/plan.ts";

export async function planWith(
  app: App,
  { ignoreLock }: { readonly ignoreLock?: boolean },
  call: Call | undefined,
  draw: (edit: EditApp) => Promise<KeptPlan>,
): Promise<KeptPlan> {
  const edit = await app.edit();
  const made = await draw(edit);
  return ignoreLock ? edit.ignoreLocks(made.fingerprint, call) : made;
}

export const toKeptPlanJson = (plan: KeptPlan, home: Pick<App, "demo">) => ({
  fingerprint: plan.fingerprint,
  expiresAt: plan.expiresAt,
  ...toPlanJson(plan, home),
});
