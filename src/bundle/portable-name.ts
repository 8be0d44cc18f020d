/** Checks that a name is valid on every system and cannot lead out of its folder. */
import { hasDrive } from "../model/values/paths.ts";

const LONGEST_NAME = 255;
/** No system has longer paths, and this one is only the end of one. */
const LONGEST_PATH = 4096;

export function isPortable(name: string): boolean {
  // Control characters have no business in a name that is shown to people.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\\\x00-\x1f\x7f]/.test(name) || hasDrive(name) || Buffer.byteLength(name) > LONGEST_PATH)
    return false;
  return name
    .split("/")
    .every((each) => !["", ".", ".."].includes(each) && Buffer.byteLength(each) <= LONGEST_NAME);
}
