/** Taking homes elsewhere, for surfaces: each call is a request of its own, and plans stay with us until they are applied. */
import { refuseAborted } from "../../platform/fs/abortable.ts";
import { type Call, toProgress, withoutSignal } from "../call.ts";
import type { AppConfig } from "../config.ts";
import type { KeptPlans, Ticket } from "../edit/kept-plans.ts";
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
  /** Lets go of all plans that were not carried out, and of what they are made from. */
  close(): void;
}

export function createMigrateApp(
  open: (call: Call) => Promise<Request>,
  { now, folder }: AppConfig,
  plans: KeptPlans<Migration>,
): MigrateApp {
  const mine = new Set<string>();
  const openCore = async (call: Call): Promise<MigrateCore> => {
    const { catalog, dataFolder, openGuard } = await open(call);
    return createMigrateCore({ catalog, home: dataFolder, now, folder, guard: await openGuard() });
  };
  return {
    async plan(request, call = {}) {
      refuseAborted(call.signal);
      const core = await openCore(call);
      try {
        const migration = await core.plan(request, toProgress(call));
        refuseAborted(call.signal);
        const ticket = plans.keep(migration, core.close);
        mine.add(ticket.fingerprint);
        return { ...migration, ...ticket };
      } catch (error) {
        core.close();
        throw error;
      }
    },
    async apply(fingerprint, call = {}) {
      refuseAborted(call.signal);
      const { value, release } = plans.take(fingerprint);
      mine.delete(fingerprint);
      // A write that has begun is completed, even if the caller aborts.
      const core = await openCore(withoutSignal(call));
      try {
        return await core.apply(value, toProgress(call));
      } finally {
        core.close();
        release();
      }
    },
    close() {
      for (const fingerprint of mine) plans.drop(fingerprint);
      mine.clear();
    },
  };
}
