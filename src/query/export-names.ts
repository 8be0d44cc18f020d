/** Unique file names for exported sessions, from the title and the start of the id, valid on every system. */

import type { Session } from "../model/session/session.ts";
import { shortId } from "../model/values/id.ts";

type Named = Pick<Session, "source" | "id" | "title">;

/** Scripts that need three bytes a letter still fit the 255 that file systems allow. */
const LONGEST_TITLE = 60;
/** The page that lists the others; no session is called that, because every name ends in an id. */
export const INDEX_NAME = "index";

/** In the order of the sessions. Letter case does not tell names apart, because some disks do not. */
export function toFileNames(sessions: readonly Named[], extension: string): string[] {
  const taken = new Set<string>();
  return sessions.map((session) => {
    const name = candidates(session).find((candidate) => !taken.has(candidate.toLowerCase())) ?? "";
    taken.add(name.toLowerCase());
    return `${name}.${extension}`;
  });
}

/** From the nicest to the clumsiest; one session may be there twice, under two roots. */
function* candidates({ source, id, title }: Named): Generator<string, undefined> {
  const start = toSlug(title) || "session";
  yield `${start}-${toSlug(shortId(id))}`;
  yield `${start}-${toSlug(id)}`;
  yield `${start}-${source}-${toSlug(id)}`;
  for (let again = 2; ; again++) yield `${start}-${source}-${toSlug(id)}-${again}`;
}

/** Letters and digits of any script, dashes for the rest. */
function toSlug(text: string): string {
  const words = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  const head = Array.from(words).slice(0, LONGEST_TITLE).join("");
  // Whole words only, where there are some.
  return (head === words ? head : head.replace(/(?<=.{20})-[^-]*$/, "")).replace(/^-+|-+$/g, "");
}
