/** Formats a command as it would be typed. */
import { toShell } from "../../model/text/shell-words.ts";

export const commandText = (words: readonly string[], demo: boolean): string =>
  toShell(["rethread", ...words, ...(demo && words[0] !== "demo" ? ["--demo"] : [])]);
