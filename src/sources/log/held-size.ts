/** Limits how much of a session may be loaded at once. */
import { AppError } from "../../model/errors.ts";

/** In bytes of the session's file; in memory it takes several times as much. */
const MOST_HELD = 512 << 20;

/** Called with the size of each piece that is held from now on. */
export function createHeldSize(id: string, most: number = MOST_HELD): (bytes: number) => void {
  let held = 0;
  return (bytes) => {
    held += bytes;
    if (held <= most) return;
    throw new AppError(
      "unreadable",
      `What the model would receive from session ${id} is larger than ${most >> 20} MB, which is too much to load`,
      { say: "Read the conversation instead", remedy: { action: "show", session: id } },
    );
  };
}
