/** The local disk without its look at extended attributes, which starts a process in every write and has tests of its own. */
import { type Disk, localDisk } from "../../src/platform/disk/disk.ts";

export const quickDisk: Disk = { ...localDisk, pack: async () => undefined };
