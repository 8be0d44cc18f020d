/** Asks a question at the terminal. */
import { createInterface } from "node:readline";
import { AppError } from "../model/errors.ts";

/** The answer, on one line. Ctrl-C and the end of the input are no answer, and end the command. */
export function askLine(question: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = createInterface({ input: process.stdin, output: process.stderr });
    const leave = (): void => {
      process.stderr.write("\n");
      reject(new AppError("aborted", "Nothing was done.", "Answer the question"));
    };
    asking.once("close", leave);
    asking.question(question, (answer) => {
      asking.off("close", leave);
      asking.close();
      resolve(answer.trim());
    });
  });
}
