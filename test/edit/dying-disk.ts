/** A disk that does nothing any more from the moment it is told to stop: to what lies on it, that is a killed process. */
import type { Disk } from "../../src/platform/disk/disk.ts";
import { type Moment, watchedDisk } from "./killing-disk.ts";

export function dyingDisk(dies: (moment: Moment) => boolean): Disk {
  let isDead = false;
  return watchedDisk((moment) => {
    isDead ||= dies(moment);
    if (isDead) throw Object.assign(new Error("EIO: the process is dead"), { code: "EIO" });
  });
}

/** Dies right after so many renames. */
export function dyingAfterRenames(count: number): Disk {
  let passes = 0;
  return dyingDisk(({ verb }) => verb === "rename" && ++passes === 2 * count);
}
