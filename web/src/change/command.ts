/** A change as it would be typed, for those who read of it later. */
import { toShell } from "../../../src/model/text/shell-words.ts";
import type { Ask } from "./choices.ts";

const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  "rescue-all": ["rescue"],
  "checkpoint-create": ["checkpoint", "create"],
  "backup-copy": ["undo"],
};

export function toCommandLine({ operation, input }: Ask): string {
  const { session, sessions, file, operation: write, source, ...options } = input;
  const operands = [session, ...(Array.isArray(sessions) ? sessions : []), file, write].filter(
    (word) => word !== undefined,
  );
  const words = [
    "rethread",
    ...(COMMANDS[operation] ?? [operation]),
    ...operands.map(String),
    ...(operation === "rescue-all" ? [`--${String(source)}`] : []),
    ...(operation === "backup-copy" ? ["--as-copy"] : []),
    ...Object.entries(options).flatMap(([name, value]) => optionOf(name, value)),
  ];
  return toShell(words);
}

function optionOf(name: string, value: unknown): string[] {
  const option = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === true) return [option];
  if (value === false) return [`--no-${name}`];
  if (value === "drop") return ["--drop-tools"];
  if (typeof value !== "object" || value === null) return [option, String(value)];
  const [[rule, amount] = []] = Object.entries(value);
  if (rule === "percent") return [option, `${amount}%`];
  if (rule === "oldest") return [option, `oldest:${amount}%`];
  if (rule === "truncate") return [option, `truncate:${amount}`];
  return [option, String(amount)];
}
