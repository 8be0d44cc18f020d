/** Asks a question at the terminal. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { AppError } from "../model/errors.ts";

/** The answer, on one line. Ctrl-C and the end of the input are no answer, and end the command. */
export const askLine = (question: string): Promise<string> => ask(question, process.stderr);

/** The same for what must be seen before it is answered: keys that were typed until now are no answer. */
export async function askAfterReading(question: string): Promise<string> {
  await dropTyped();
  return askLine(question);
}

const [QUIET_MS, MOST_MS] = [50, 1000];
const CTRL_C = 3;

/** Read away until nothing more comes; lines that wait in the terminal come at once when it is raw. */
async function dropTyped(): Promise<void> {
  const { stdin } = process;
  let [last, isEnded] = [performance.now(), false];
  const began = last;
  const drop = (typed: Buffer): void => {
    last = performance.now();
    isEnded ||= typed.includes(CTRL_C);
  };
  stdin.setRawMode?.(true);
  stdin.on("data", drop);
  stdin.resume();
  do await setTimeout(QUIET_MS);
  while (!isEnded && performance.now() - last < QUIET_MS && performance.now() - began < MOST_MS);
  stdin.off("data", drop);
  stdin.pause();
  if (!isEnded) return;
  stdin.setRawMode?.(false);
  throw notAnswered();
}

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
      reject(notAnswered());
    };
    asking.once("close", leave);
    asking.question(question, (answer) => {
      asking.off("close", leave);
      asking.close();
      resolve(answer.trim());
    });
  });
}

const notAnswered = (): AppError => new AppError("aborted", "Nothing was done.", "Answer the question");
