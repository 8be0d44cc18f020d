/** Who wrote each line of a file: its changes are carried out in their order, and what came of them is compared with the file. */
import type { FileEdit } from "../session/file-edit.ts";
import { applyEdit } from "./apply-edit.ts";
import { findBase } from "./base.ts";
import { createDocument, type LooseLines } from "./document.ts";
import { findFragments } from "./fragments.ts";
import { FOUND, isGuess, keyOf, NOBODY, piecesOf } from "./lines.ts";
import { findLoose } from "./loose-lines.ts";
import { matchLines } from "./match-lines.ts";
import { forgetChance } from "./written-anew.ts";

/** For each line of `now` the number of the change that wrote it, or `NOBODY`. Changes are given oldest first. */
export function replay(edits: readonly FileEdit[], now: string): Int32Array {
  const keys = piecesOf(now).map(keyOf);
  const writers = new Int32Array(keys.length).fill(NOBODY);
  if (edits.length === 0) return writers;
  const loose: LooseLines[] = [];
  const document = createDocument(findBase(edits, now), (lines) => void loose.push(lines));
  for (const [by, edit] of edits.entries()) applyEdit(document, edit, by);
  const lines = document.lines();
  // What stands behind the last line feed is no line, and must not be taken for a blank one.
  const [followed, current] = [withoutEnd(lines.map(({ key }) => key)), withoutEnd(keys)];
  const matched = matchLines(followed, current);
  forgetChance(followed, current, matched);
  const known = (at: number): number | undefined => lines[matched[at] ?? -1]?.by;
  const openTo = (at: number): "new" | "guessed" | undefined => {
    const by = known(at);
    if (by === undefined || by === FOUND) return "new";
    return isGuess(by) ? "guessed" : undefined;
  };
  const found = findLoose(keys, openTo, loose);
  const parts = findFragments(keys, (at) => openTo(at) !== undefined && found[at] === NOBODY, loose);
  for (let at = 0; at < writers.length; at++) {
    const by = known(at) ?? NOBODY;
    writers[at] = by >= 0 ? by : Math.max(found[at] ?? NOBODY, parts[at] ?? NOBODY);
  }
  return writers;
}

const withoutEnd = (keys: readonly string[]): readonly string[] =>
  keys.at(-1) === "" ? keys.slice(0, -1) : keys;
