/** Taking homes elsewhere, for surfaces: each call is a request of its own, and plans stay with us until they are applied. */
import { type Call, toProgress } from "../call.ts";
import type { AppConfig } from "../config.ts";
import type { KeptPlans, Ticket } from "../edit/kept-plans.ts";
import { createPlannedCalls } from "../edit/planned-calls.ts";
import type { Request } from "../request.ts";
import {
  createMigrateCore,
  type MigrateCore,
  type Migrated,
  type MigrateOf,
  type Migration,
} from "./core.ts";

export interface MigrateApp {
  plan(request: MigrateOf, call?: Call): Promise<Migration & Ticket>;
  apply(fingerprint: string, call?: Call): Promise<Migrated>;
  /** Lets go of all plans that were not applied, and of what they are made from. */
  close(): void;
}

export function createMigrateApp(
  open: (call: Call) => Promise<Request>,
  { now, folder }: AppConfig,
  plans: KeptPlans<Migration>,
): MigrateApp {
  const openCore = async (call: Call): Promise<MigrateCore> => {
    const { catalog, dataFolder, openGuard } = await open(call);
    return createMigrateCore({ catalog, home: dataFolder, now, folder, guard: await openGuard() });
  };
  const { plan, apply, close } = createPlannedCalls(openCore, plans);
  return {
    plan: (request, call = {}) => plan(call, (core) => core.plan(request, toProgress(call))),
    apply: (fingerprint, call = {}) =>
      apply(fingerprint, call, (core, migration) => core.apply(migration, toProgress(call))),
    close,
  };
}
