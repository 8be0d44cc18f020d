/** Changing sessions, for surfaces: each call is a request of its own, and plans stay with us until they are applied. */
import type { EditPlan } from "../../model/plan.ts";
import { refuseAborted } from "../../platform/fs/abortable.ts";
import { type Call, toProgress, withoutSignal } from "../call.ts";
import type { EditApp } from "../edit-contract.ts";
import type { EditCore } from "./core.ts";
import type { KeptPlan, KeptPlans } from "./kept-plans.ts";

/** `open` is asked for each call, so that settings and interrupted writes are those of that moment. */
export function createEditApp(open: (call: Call) => Promise<EditCore>, plans: KeptPlans<EditPlan>): EditApp {
  const mine = new Set<string>();
  const keep = (plan: EditPlan, release: () => void): KeptPlan => {
    const ticket = plans.keep(plan, release);
    mine.add(ticket.fingerprint);
    return { ...plan, ...ticket };
  };
  /** What the plan is made from is released with it. */
  const planWith = async (
    call: Call = {},
    make: (core: EditCore) => Promise<EditPlan>,
  ): Promise<KeptPlan> => {
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
  };
  const during = async <T>(call: Call = {}, work: (core: EditCore) => Promise<T>): Promise<T> => {
    refuseAborted(call.signal);
    const core = await open(call);
    try {
      return await work(core);
    } finally {
      core.close();
    }
  };
  return {
    planClone: (name, request, call) =>
      planWith(call, (core) => core.planClone(name, request, progressOf(call))),
    planFork: (name, request, call) =>
      planWith(call, (core) => core.planFork(name, request, progressOf(call))),
    planRewind: (name, { to, ...wish }, call) =>
      planWith(call, (core) => core.planRewind(name, to, wish, progressOf(call))),
    planCompact: (name, request, call) =>
      planWith(call, (core) => core.planCompact(name, request, progressOf(call))),
    planCheckpoint: (name, request, call) =>
      planWith(call, (core) => core.planCheckpoint(name, request, progressOf(call))),
    planRename: (name, to, call) => planWith(call, (core) => core.planRename(name, to, progressOf(call))),
    planMove: (request, call) => planWith(call, (core) => core.planMove(request, progressOf(call))),
    planDelete: (name, call) => planWith(call, (core) => core.planDelete(name, progressOf(call))),
    planRescue: (name, call) => planWith(call, (core) => core.planRescue(name, progressOf(call))),
    planRescueAll: (source, call) => planWith(call, (core) => core.planRescueAll(source, progressOf(call))),
    planImport: (file, request, call) =>
      planWith(call, (core) => core.planImport(file, request, progressOf(call))),
    planUndo: (operation, call) => planWith(call, (core) => core.planUndo(operation)),
    planBackupCopy: (operation, request, call) =>
      planWith(call, (core) => core.planBackupCopy(operation, request)),
    async ignoreLocks(fingerprint, call) {
      const { value, release } = plans.take(fingerprint);
      try {
        return keep(await during(call, (core) => core.ignoreLocks(value)), release);
      } catch (error) {
        release();
        throw error;
      }
    },
    previewVendorRows: (fingerprint, call) =>
      during(call, (core) => core.previewVendorRows(plans.look(fingerprint))),
    async apply(fingerprint, call) {
      refuseAborted(call?.signal);
      const { value, release } = plans.take(fingerprint);
      mine.delete(fingerprint);
      try {
        // A write that has begun is completed, even if the caller aborts.
        return await during(withoutSignal(call ?? {}), (core) => core.apply(value));
      } finally {
        release();
      }
    },
    close() {
      for (const fingerprint of mine) plans.drop(fingerprint);
      mine.clear();
    },
    history: (call) => during(call, (core) => core.history()),
    backups: (call) => during(call, (core) => core.backups()),
    confirm: (name, call) => during(call, (core) => core.confirm(name)),
    prune: (call) => during(call, (core) => core.prune()),
    verify: (request, call) => during(call, (core) => core.verify(request, progressOf(call))),
  };
}

const progressOf = (call: Call = {}) => toProgress(call);
