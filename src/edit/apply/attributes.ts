/**
 * Keeps extended attributes and ACLs: reads them before a write, records them with the backup, and sets them on the new
 * files.
 */
import { END, type PaxRecords, toHeader } from "../../bundle/tar.ts";
import { createTarReader } from "../../bundle/tar-reader.ts";
import { AppError } from "../../model/errors.ts";
import type { Attributes, EditPlan, Entry, Planned } from "../../model/plan.ts";
import type { Disk } from "../../platform/disk/disk.ts";
import { entriesBelow } from "../backups/from-backup.ts";

/** File systems allow 64 KiB for each of them. */
const LONGEST_HEADER = 64 << 20;

/** The plan with the attributes of everything that it changes or removes, read by one process for all files. */
export async function recordAttributes(disk: Pick<Disk, "pack">, plan: EditPlan): Promise<EditPlan> {
  const changing = plan.steps.filter(({ does }) => does === "replace" || does === "remove");
  const entries = changing.flatMap(({ path }) => entriesBelow(path, plan.basis));
  const paths = entries
    .filter(({ kind }) => kind !== "link")
    .sort(largestLast)
    .map(({ path }) => path);
  const found = await readAttributes(disk, [...new Set(paths)]);
  if (!found || found.size === 0) return plan;
  const basis = plan.basis.map((each) => {
    const attributes = found.get(each.entry.path);
    return attributes ? { ...each, entry: { ...each.entry, attributes } } : each;
  });
  return { ...plan, basis };
}

/** The content of files comes with what is asked for, but not that of the last one, mostly a log. */
const largestLast = (a: Entry, b: Entry): number => sizeOf(a) - sizeOf(b);
const sizeOf = (entry: Entry): number => (entry.kind === "file" ? entry.size : 0);

/** The attributes of entries that have any; undefined when this system cannot read them. */
export async function readAttributes(
  disk: Pick<Disk, "pack">,
  paths: readonly string[],
): Promise<Map<string, Attributes> | undefined> {
  if (paths.length === 0) return new Map();
  const told: Attributes[] = [];
  const reader = createTarReader(
    {
      entry: ({ pax }) => void told.push(toAttributes(pax ?? new Map())),
      content: () => undefined,
      entryEnd: () => undefined,
    },
    LONGEST_HEADER,
  );
  try {
    await disk.pack(paths, (bytes) => {
      reader.push(bytes);
      return told.length < paths.length ? "more" : "enough";
    });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return undefined; // what it printed is no archive
  }
  // Names may come back in another form; their order is the one that was asked for.
  if (told.length !== paths.length) return undefined;
  return new Map(
    paths.flatMap((path, i) => {
      const attributes = told[i] ?? {};
      return Object.keys(attributes).length === 0 ? [] : [[path, attributes]];
    }),
  );
}

/** How tars write them: both forms for one attribute in the case of BSD's. */
const KEPT = /^(?:(?:SCHILY|LIBARCHIVE)\.xattr\.(?<name>.+)|SCHILY\.acl\..+)$/s;
/** The ACLs of Linux are attributes of the system, and the only ones of these that are the user's. */
const ACL = /^system\.posix_acl_/;
/** What the system itself sets on every file, or keeps for itself. */
const MANAGED =
  /^(?:security|system|btrfs|ceph|trusted\.overlay|com\.apple\.(?:provenance|lastuseddate|macl|quarantine|system))\b/;

function toAttributes(pax: PaxRecords): Attributes {
  const kept = [...pax].filter(([key]) => {
    const match = KEPT.exec(key);
    const name = match?.groups?.name;
    return match && (name === undefined || ACL.test(name) || !MANAGED.test(name));
  });
  return Object.fromEntries(kept.sort(byKey).map(([key, value]) => [key, value.toString("base64")]));
}

const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number =>
  a < b ? -1 : a > b ? 1 : 0;

/**
 * Makes all folders and empty files with their attributes, to be filled then. All of them at once, as what is made
 * later in a folder with a default ACL would inherit that. False where there are no attributes: then nothing is made.
 */
export async function layOut(
  disk: Pick<Disk, "unpack">,
  entries: readonly Planned[],
  placeOf: (entry: Planned) => string,
): Promise<boolean> {
  const first = entries.find(({ attributes }) => attributes !== undefined);
  if (!first) return false;
  const made = entries.filter(({ kind }) => kind !== "link");
  const headers = made.map((entry) =>
    toHeader({
      name: placeOf(entry),
      kind: entry.kind === "folder" ? "folder" : "file",
      size: 0,
      mode: entry.kind === "folder" ? 0o700 : 0o600,
      mtimeMs: 0,
      pax: new Map(
        Object.entries(entry.attributes ?? {}).map(([key, value]) => [key, Buffer.from(value, "base64")]),
      ),
    }),
  );
  if (!(await disk.unpack(Buffer.concat([...headers, END]), made.map(placeOf)))) throw notKept(first);
  return true;
}

/** Throws unless each of them has the attributes that it should have. */
export async function checkAttributes(
  disk: Pick<Disk, "pack">,
  entries: readonly Planned[],
  placeOf: (entry: Planned) => string,
): Promise<void> {
  const wanted = entries.filter(({ attributes }) => attributes !== undefined).sort(largestLast);
  const found = await readAttributes(disk, wanted.map(placeOf));
  const other = wanted.find(
    (entry) => JSON.stringify(found?.get(placeOf(entry))) !== JSON.stringify(entry.attributes),
  );
  if (other) throw notKept(other);
}

const notKept = ({ path, attributes = {} }: Planned): AppError =>
  new AppError(
    "permission-denied",
    `${path} has ${nameThem(attributes)}, which this write could not keep, so nothing was changed`,
    {
      say: "Remove them first if they are not needed (setfattr -x and setfacl -b; on macOS xattr -c and chmod -N); to undo a write, get the earlier state as a new session",
      remedy: { action: "undo", args: { asCopy: true }, asks: { operation: "operation" } },
    },
  );

function nameThem(attributes: Attributes): string {
  const names = Object.keys(attributes).map((key) => {
    const name = KEPT.exec(key)?.groups?.name;
    return name === undefined || ACL.test(name) ? "an ACL" : `the attribute ${name}`;
  });
  return [...new Set(names)].join(" and ");
}
