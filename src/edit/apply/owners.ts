/** Decides the owner and attributes of written files, and refuses a write that could not keep them. */
import { dirname } from "node:path";
import { AppError } from "../../model/errors.ts";
import type { EditPlan, Entry, Planned, Step } from "../../model/plan.ts";
import type { Disk } from "../../platform/disk/disk.ts";
import { isOurFolder, type Owner, ownerIn } from "../../platform/disk/ownership.ts";
import { entriesBelow } from "../backups/from-backup.ts";
import type { Stage } from "./stage.ts";

/**
 * The steps, with an owner for each entry: a file that replaces another gets the owner of that one, what is undone gets
 * the owner that was recorded, and what is new gets the owner of the folder it is put into. Attributes come with the
 * owner, but not from a folder. Throws where an owner cannot be kept, also of what is removed: undoing that could not
 * give it back to them.
 */
export function assignOwners(disk: Pick<Disk, "canGive">, stage: Stage, plan: EditPlan): readonly Step[] {
  const known = new Map<string, boolean>();
  const basis = new Map(plan.basis.map(({ entry }) => [entry.path, entry]));
  return plan.steps.map((step, number) => {
    if (step.does === "set") return step;
    const folder = dirname(stage.built(number));
    const canGive = (owner: Owner): boolean => {
      const key = `${owner.uid}:${owner.gid} ${folder}`;
      const answer = known.get(key) ?? disk.canGive(folder, owner);
      known.set(key, answer);
      return answer;
    };
    const old = step.does === "place" ? [] : entriesBelow(step.path, plan.basis);
    for (const entry of old) {
      const owner = recordedOwner(entry);
      if (owner && !canGive(owner)) throw notOurs(entry.path, owner, plan);
    }
    if (step.does === "remove") return step;
    const replaced = new Map(old.map((entry) => [entry.path, entry]));
    // Since a backup was made, a home may have been given to another user, or taken to a machine with other numbers.
    const isHandedOver = (entry: Planned): boolean => {
      const now = replaced.get(entry.path);
      return now
        ? now.uid !== entry.uid
        : entry.uid === step.entries[0]?.uid && isOurFolder(dirname(step.path));
    };
    const around = ownerIn(dirname(step.path));
    const entries = step.entries.map((entry): Planned => {
      const recorded = recordedOwner(entry);
      const model = recorded ? entry : (basis.get(entry.like ?? "") ?? replaced.get(entry.path));
      const owner = (model && recordedOwner(model)) ?? around;
      const { uid: _uid, gid: _gid, attributes: _, ...ours } = entry;
      const attributes = entry.kind === "link" || !model?.attributes ? {} : { attributes: model.attributes };
      if (!owner) return { ...ours, ...attributes };
      if (canGive(owner)) return { ...ours, ...owner, ...attributes };
      // Only a copy may have another owner than its original.
      if (recorded && plan.kind === "undo" && !isHandedOver(entry)) throw notOurs(entry.path, owner, plan);
      const heir = replaced.get(entry.path);
      return { ...ours, ...(heir && recordedOwner(heir)), ...attributes };
    });
    return { ...step, entries };
  });
}

const recordedOwner = ({ uid, gid }: Entry): Owner | undefined =>
  uid === undefined || gid === undefined ? undefined : { uid, gid };

const notOurs = (path: string, { uid, gid }: Owner, { undoes }: EditPlan): AppError =>
  new AppError(
    "permission-denied",
    `${path} belongs to user ${uid} and group ${gid}, which this write could not keep, so nothing was changed`,
    undoes === undefined
      ? "Run the command as that user or as root, or change its owner first (chown)"
      : {
          say: "Run the command as that user or as root, or get the earlier state as a new session",
          remedy: { action: "undo", args: { operation: undoes, asCopy: true } },
        },
  );
