/** Makes a UUID from a name: the same name always gives the same UUID. */
import { createHash } from "node:crypto";

export function uuidOf(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  // The digits that say "version 4, variant 1"; programs check them.
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
