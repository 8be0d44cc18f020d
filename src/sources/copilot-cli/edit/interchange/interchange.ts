/** Reads and writes the format of `copilot sessions import`. Evidence: FORMAT.md. */
import type { Interchange } from "../../../interchange.ts";
import { readInterchange } from "./read.ts";
import { writeInterchange } from "./write.ts";

export const interchange: Interchange = {
  format: "copilot",
  isOne: (beginning) => /^\ufeff?\s*\{[^\n]*"type"\s*:\s*"session"/.test(beginning),
  write: writeInterchange,
  read: readInterchange,
};
