/** A question that only a person can answer. */
import { AppError } from "../model/errors.ts";

/** Throws when nobody is there to answer. */
export function expectSomebody(): void {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new AppError(
      "needs-yes",
      "This changes an existing session, and nobody is at the terminal to confirm it",
      "Add --yes to proceed, or --dry-run to see what would be done",
    );
}

/** False for anything but yes. Throws when nobody is there to answer. */
export async function askForYes(question: string): Promise<boolean> {
  expectSomebody();
  const { createInterface } = await import("node:readline/promises");
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await asking.question(`${question} [y/N] `)).trim());
  } finally {
    asking.close();
  }
}
