/** Cuts the files beside a log to the part of the log that is kept. */
import { asString } from "../../../log/jsonl.ts";
import { CHECKPOINT_FOLDER, CHECKPOINT_INDEX } from "../../workspace/checkpoints.ts";
import { parseKnownIndex } from "../rewind-files/snapshots.ts";

export const CHECKPOINT_TABLE = `${CHECKPOINT_FOLDER}/${CHECKPOINT_INDEX}`;

/** The table of checkpoints/index.md without the rows of those that are cut. */
export const cutIndex = (table: string, keeps: (checkpoint: number) => boolean): string =>
  table
    .split(/(?<=\n)/)
    .filter((line) => {
      const number = /^\| (\d+) \|/.exec(line)?.[1];
      return number === undefined || keeps(Number(number));
    })
    .join("");

/** The number that a checkpoint's file begins with. */
export function checkpointOf(name: string): number | undefined {
  const digits = /^checkpoints\/(\d+)/.exec(name)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** index.json of the file states with those of the kept prompts; nothing when it is not what it should be. */
export function cutSnapshots(text: string, keeps: (eventId: string) => boolean): string | undefined {
  const index = parseKnownIndex(text);
  return index?.write(index.snapshots.filter((each) => keeps(asString(each.eventId) ?? "")));
}
