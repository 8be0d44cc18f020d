/** Makes what a plan describes: a file, or a folder with all that is in it, safe on the disk but not yet in its place. */
import { AppError } from "../model/errors.ts";
import type { Planned } from "../model/plan.ts";
import type { Disk } from "../platform/disk.ts";
import { checkAttributes, layOut } from "./attributes.ts";
import { contentOf, type Sources } from "./content.ts";

/** The first entry is the outermost; it becomes `to`. */
export async function build(
  disk: Disk,
  entries: readonly Planned[],
  to: string,
  sources: Sources,
): Promise<void> {
  const from = entries[0]?.path ?? "";
  const placeOf = (entry: Planned): string => to + entry.path.slice(from.length);
  const isLaidOut = await layOut(disk, entries, placeOf);
  for (const entry of entries) {
    if (entry.kind === "folder") disk.makeFolder(placeOf(entry), 0o700);
    else if (entry.kind === "link") disk.link(placeOf(entry), entry.target, entry);
    else await disk.write(placeOf(entry), counted(entry, sources), entry, isLaidOut ? "laid-out" : "new");
  }
  // From the inside out: what is made in a folder changes the time of it.
  for (const entry of entries.toReversed())
    if (entry.kind === "folder") disk.finishFolder(placeOf(entry), entry);
  if (isLaidOut) await checkAttributes(disk, entries, placeOf);
}

/** What it was made from may have shrunk since; then the copy is not what was planned. */
async function* counted(
  entry: Extract<Planned, { kind: "file" }>,
  sources: Sources,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of contentOf(entry.pieces ?? [], sources)) {
    size += chunk.length;
    yield chunk;
  }
  if (size !== entry.size)
    throw new AppError(
      "session-changed",
      `${entry.path} was to have ${entry.size} bytes, but what it is made from changed meanwhile`,
      "Run the command again",
    );
}
