/** Answers the completion scripts: a candidate on each line, with what it is behind a tab. Whatever fails, it is silent. */
import { COMPLETIONS, complete } from "../app/completing.ts";
import { readConfig } from "../app/config.ts";
import { cut, oneLine } from "../present/text/text.ts";

const WIDEST = 60;

export async function answerCompletion([kind = "", typed = "", demo]: readonly string[]): Promise<void> {
  try {
    const known = COMPLETIONS.find((each) => each === kind);
    if (!known) return;
    const candidates = await complete(known, typed, readConfig(demo === "--demo" ? { demo: "on" } : {}));
    process.stdout.write(candidates.map((each) => `${each.value}\t${shown(each.about)}\n`).join(""));
  } catch {
    // No store yet, one that is being made, or none that can be read: the shell goes on without us.
  }
}

/** On one line, with nothing that a terminal would obey; shells show it, and evaluate none of it. */
const shown = (about: string): string => cut(oneLine(about), WIDEST);
