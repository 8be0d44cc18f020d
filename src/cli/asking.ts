/** Asks a question at the terminal. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { AppError } from "../model/errors.ts";

/** The answer, on one line. Ctrl-C and the end of the input are no answer, and end the command. */
export const askLine = (question: string): Promise<string> => ask(question, process.stderr);

/** The same for a secret: what is typed is not shown. */
export async function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const answer = await ask("", new Writable({ write: (_, __, done) => done() }));
  process.stderr.write("\n");
  return answer;
}

function ask(question: string, output: NodeJS.WritableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    const asking = createInterface({ input: process.stdin, output, terminal: true });
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
