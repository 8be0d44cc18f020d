/** Builds the files and folders of a plan in staging, synced to disk. */
import { createHash, type Hash } from "node:crypto";
import { AppError } from "../../model/errors.ts";
import type { Planned } from "../../model/plan.ts";
import type { Disk } from "../../platform/disk/disk.ts";
import { checkAttributes, layOut } from "./attributes.ts";
import { contentOf, type Sources } from "./content.ts";

/** The first entry is the outermost; it becomes `to`. Returns the entries with the hash of every file that was written. */
export async function build(
  disk: Disk,
  entries: readonly Planned[],
  to: string,
  sources: Sources,
): Promise<Planned[]> {
  const from = entries[0]?.path ?? "";
  const placeOf = (entry: Planned): string => to + entry.path.slice(from.length);
  const isLaidOut = await layOut(disk, entries, placeOf);
  const built: Planned[] = [];
  for (const entry of entries) {
    if (entry.kind === "file") {
      const sum = createHash("sha256");
      const content = counted(entry, sources, sum);
      await disk.write(placeOf(entry), content, entry, isLaidOut ? "laid-out" : "new");
      built.push({ ...entry, sha256: sum.digest("hex") });
      continue;
    }
    if (entry.kind === "folder") disk.makeFolder(placeOf(entry), 0o700);
    else disk.link(placeOf(entry), entry.target, entry);
    built.push(entry);
  }
  // From the inside out: what is made in a folder changes the time of it.
  for (const entry of entries.toReversed())
    if (entry.kind === "folder") disk.finishFolder(placeOf(entry), entry);
  if (isLaidOut) await checkAttributes(disk, entries, placeOf);
  return built;
}

/** What it was made from may have shrunk since; then the copy is not what was planned. */
async function* counted(
  entry: Extract<Planned, { kind: "file" }>,
  sources: Sources,
  sum: Hash,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of contentOf(entry.pieces ?? [], sources)) {
    size += chunk.length;
    sum.update(chunk);
    yield chunk;
  }
  if (size !== entry.size)
    throw new AppError(
      "session-changed",
      `${entry.path} should have ${entry.size} bytes, but what it is made from has changed meanwhile`,
      "Run the command again",
    );
}
