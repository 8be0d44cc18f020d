/** Reads messages from the keyboard; lines that end with a backslash, and the lines of one paste, form one message. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";

export interface MessageInput {
  /** Asks, and waits; nothing when the input has ended. What was typed ahead is taken first. */
  next(): Promise<string | undefined>;
  close(): void;
}

export interface MessageInputOptions {
  /** The latest first. */
  readonly history: readonly string[];
  /** Called on Ctrl-C, unless it only clears the typed line; true while a message is being answered. */
  readonly onInterrupt: (isAnswering: boolean) => void;
}

const PROMPT = "› ";
const MORE = "  ";
/** Asks the terminal to mark what is pasted. */
const MARK_PASTES = "\x1b[?2004h";
const NO_MARKS = "\x1b[?2004l";

export function createMessageInput({ history, onInterrupt }: MessageInputOptions): MessageInput {
  const { stdin, stdout } = process;
  const messages: string[] = [];
  let parts: string[] = [];
  let isPasting = false;
  let isClosed = false;
  let waiting: ((message: string | undefined) => void) | undefined;

  // What is typed while an answer comes must not be drawn into it.
  const screen = Object.assign(
    new Writable({
      write(chunk, _, done) {
        if (waiting) stdout.write(chunk);
        done();
      },
    }),
    { columns: stdout.columns, isTTY: true },
  );
  const resize = (): void => {
    screen.columns = stdout.columns;
    screen.emit("resize");
  };
  stdout.on("resize", resize);
  const keys = (_: unknown, key?: { readonly name?: string }): void => {
    if (key?.name === "paste-start") isPasting = true;
    if (key?.name === "paste-end") isPasting = false;
  };
  const lines = createInterface({ input: stdin, output: screen, terminal: true, history: [...history] });
  stdin.on("keypress", keys);
  stdout.write(MARK_PASTES);

  const ask = (): void => {
    lines.setPrompt(parts.length === 0 ? PROMPT : MORE);
    lines.prompt(true);
  };
  const answer = (message: string | undefined): void => {
    const give = waiting;
    waiting = undefined;
    give?.(message);
  };
  lines.on("line", (line) => {
    parts.push(line.replace(/\\$/, ""));
    if (line.endsWith("\\") || isPasting) {
      if (waiting) ask();
      return;
    }
    const message = parts.join("\n");
    parts = [];
    if (waiting) answer(message);
    else messages.push(message);
  });
  lines.on("SIGINT", () => {
    if (!waiting) return onInterrupt(true);
    if (lines.line === "" && parts.length === 0) return onInterrupt(false);
    parts = [];
    lines.write(null, { ctrl: true, name: "e" });
    lines.write(null, { ctrl: true, name: "u" });
    ask();
  });
  lines.on("close", () => {
    isClosed = true;
    stdout.off("resize", resize);
    stdin.off("keypress", keys);
    stdout.write(NO_MARKS);
    answer(undefined);
  });

  return {
    next: () =>
      new Promise((resolve) => {
        const typed = messages.shift();
        if (typed !== undefined) stdout.write(`${PROMPT}${typed.replaceAll("\n", `\n${MORE}`)}\n`);
        if (isClosed || typed !== undefined) return resolve(typed);
        waiting = resolve;
        ask();
      }),
    close: () => lines.close(),
  };
}
