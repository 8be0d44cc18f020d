/** Calls that plan now and apply later: what a plan is made from is opened for it, kept with it, and closed with it. */
import { refuseAborted } from "../../platform/fs/abortable.ts";
import { type Call, withoutSignal } from "../call.ts";
import type { KeptPlans, Ticket } from "./kept-plans.ts";

export interface PlannedCalls<Core, Plan> {
  /** Makes a plan that is kept until it is applied. */
  plan(call: Call | undefined, make: (core: Core) => Promise<Plan>): Promise<Plan & Ticket>;
  /** Exchanges a kept plan for another, which gets a fingerprint of its own. */
  replace(
    fingerprint: string,
    call: Call | undefined,
    change: (core: Core, plan: Plan) => Promise<Plan>,
  ): Promise<Plan & Ticket>;
  apply<T>(
    fingerprint: string,
    call: Call | undefined,
    write: (core: Core, plan: Plan) => Promise<T>,
  ): Promise<T>;
  /** A call that needs no plan. */
  during<T>(call: Call | undefined, work: (core: Core) => Promise<T>): Promise<T>;
  look(fingerprint: string): Plan;
  /** Lets go of all plans that were not applied, and of what they are made from. */
  close(): void;
}

/** `open` is asked for each call, so that settings and interrupted writes are those of that moment. */
export function createPlannedCalls<Core extends { close(): void }, Plan extends object>(
  open: (call: Call) => Promise<Core>,
  plans: KeptPlans<Plan>,
): PlannedCalls<Core, Plan> {
  const mine = new Set<string>();
  const keep = (plan: Plan, release: () => void): Plan & Ticket => {
    const ticket = plans.keep(plan, release);
    mine.add(ticket.fingerprint);
    return { ...plan, ...ticket };
  };
  const take = (fingerprint: string) => {
    const taken = plans.take(fingerprint);
    mine.delete(fingerprint);
    return taken;
  };
  const during = async <T>(call: Call = {}, work: (core: Core) => Promise<T>): Promise<T> => {
    refuseAborted(call.signal);
    const core = await open(call);
    try {
      return await work(core);
    } finally {
      core.close();
    }
  };
  return {
    during,
    look: plans.look,
    async plan(call = {}, make) {
      refuseAborted(call.signal);
      const core = await open(call);
      try {
        const plan = await make(core);
        refuseAborted(call.signal);
        return keep(plan, core.close);
      } catch (error) {
        core.close();
        throw error;
      }
    },
    async replace(fingerprint, call, change) {
      const { value, release } = take(fingerprint);
      try {
        return keep(await during(call, (core) => change(core, value)), release);
      } catch (error) {
        release();
        throw error;
      }
    },
    async apply(fingerprint, call = {}, write) {
      refuseAborted(call.signal);
      const { value, release } = take(fingerprint);
      try {
        // A write that has begun is completed, even if the caller aborts.
        return await during(withoutSignal(call), (core) => write(core, value));
      } finally {
        release();
      }
    },
    close() {
      for (const fingerprint of mine) plans.drop(fingerprint);
      mine.clear();
    },
  };
}
