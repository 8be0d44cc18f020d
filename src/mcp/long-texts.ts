/** Refuses arguments of an absurd length before anybody works on them. */
import { AppError } from "../model/errors.ts";
import { textsIn } from "../operations/outside-input.ts";

/** Names, paths and times; and texts that are longer by nature. */
const LONGEST = { name: 4096, text: 100_000 };
const TEXTS: ReadonlySet<string> = new Set(["query", "text", "error", "sql", "content", "input"]);

export function refuseLongTexts(input: unknown): void {
  for (const [path, text] of textsIn(input)) {
    const most = TEXTS.has(path.split(".")[0] ?? "") ? LONGEST.text : LONGEST.name;
    if (text.length > most)
      throw new AppError(
        "usage",
        `${path} has ${text.length.toLocaleString("en")} characters, and may have ${most.toLocaleString("en")}`,
        "Send a shorter one",
      );
  }
}
