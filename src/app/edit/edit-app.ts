/** Changing sessions, for surfaces: each call is a request of its own, and plans stay with us until they are applied. */
import type { EditPlan } from "../../model/plan.ts";
import { type Call, toProgress } from "../call.ts";
import type { EditApp } from "../edit-contract.ts";
import type { EditCore } from "./core.ts";
import { type KeptPlans, operationOf } from "./kept-plans.ts";
import { createPlannedCalls } from "./planned-calls.ts";

export function createEditApp(open: (call: Call) => Promise<EditCore>, plans: KeptPlans<EditPlan>): EditApp {
  const { plan, replace, apply, during, look, close } = createPlannedCalls(open, plans);
  return {
    planClone: (name, request, call) => plan(call, (core) => core.planClone(name, request, progressOf(call))),
    planFork: (name, request, call) => plan(call, (core) => core.planFork(name, request, progressOf(call))),
    planRewind: (name, { to, ...wish }, call) =>
      plan(call, (core) => core.planRewind(name, to, wish, progressOf(call))),
    planCompact: (name, request, call) =>
      plan(call, (core) => core.planCompact(name, request, progressOf(call))),
    planCheckpoint: (name, request, call) =>
      plan(call, (core) => core.planCheckpoint(name, request, progressOf(call))),
    planRename: (name, to, call) => plan(call, (core) => core.planRename(name, to, progressOf(call))),
    planMove: (request, call) => plan(call, (core) => core.planMove(request, progressOf(call))),
    planDelete: (name, call) => plan(call, (core) => core.planDelete(name, progressOf(call))),
    planScrub: (names, call) => plan(call, (core) => core.planScrub(names, progressOf(call))),
    planRescue: (name, call) => plan(call, (core) => core.planRescue(name, progressOf(call))),
    planRescueAll: (source, request, call) =>
      plan(call, (core) => core.planRescueAll(source, request, progressOf(call))),
    planImport: (file, request, call) =>
      plan(call, (core) => core.planImport(file, request, progressOf(call))),
    planHandoff: (name, request, call) => plan(call, (core) => core.planHandoff(name, request)),
    planRestore: (request, call) => plan(call, (core) => core.planRestore(request)),
    planImprove: (request, call) => plan(call, (core) => core.planImprove(request)),
    planServer: (request, call) => plan(call, (core) => core.planServer(request)),
    planUndo: (operation, call) => plan(call, (core) => core.planUndo(operation)),
    planBackupCopy: (operation, request, call) =>
      plan(call, (core) => core.planBackupCopy(operation, request)),
    planTogether: (fingerprints, call) => plan(call, (core) => core.planTogether(fingerprints.map(look))),
    ignoreLocks: (fingerprint, call) => replace(fingerprint, call, (core, kept) => core.ignoreLocks(kept)),
    blockers: (paths, call) => during(call, (core) => core.blockers(paths)),
    previewVendorRows: (fingerprint, call) =>
      during(call, (core) => core.previewVendorRows(look(fingerprint))),
    apply: (fingerprint, call) =>
      apply(fingerprint, call, (core, kept) => core.apply(kept, operationOf(fingerprint))),
    close,
    history: (call) => during(call, (core) => core.history()),
    backups: (call) => during(call, (core) => core.backups()),
    confirm: (name, call) => during(call, (core) => core.confirm(name)),
    prune: (call) => during(call, (core) => core.prune()),
    verify: (request, call) => during(call, (core) => core.verify(request, progressOf(call))),
  };
}

const progressOf = (call: Call = {}) => toProgress(call);
