/** What is known of a process, and how to read it from the output of `ps`. */
export interface ProcessFacts {
  readonly pid: number;
  /** Its command line. `ps` does not tell where a word ends that has a space in it. */
  readonly words: readonly string[];
  /** The file that runs, where the system tells. */
  readonly program?: string;
  /** In milliseconds since 1970, to about a second. */
  readonly startedAt?: number | undefined;
}

/** Lines of `pid=,lstart=,args=`: "  501 Mon Nov 16 09:12:03 2026     copilot --resume 0b1c". */
const LINE = /^\s*(\d+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]{8}\s+\d{4})\s+(\S.*)$/;

export function parsePs(text: string): ProcessFacts[] {
  return text.split("\n").flatMap((line) => {
    const [, pid, time = "", args = ""] = LINE.exec(line) ?? [];
    if (pid === undefined) return [];
    const startedAt = Date.parse(time);
    return [
      {
        pid: Number(pid),
        words: args.trim().split(/\s+/),
        ...(Number.isFinite(startedAt) && { startedAt }),
      },
    ];
  });
}

/** A runtime says little of the program that it runs. */
const RUNTIME = /(^|[\\/])(node|nodejs|bun|deno|electron)(\.exe)?$/i;

export const isRuntime = ({ program, words }: ProcessFacts): boolean =>
  RUNTIME.test(program ?? "") || RUNTIME.test(words[0] ?? "");

/** The paths and names by which a program is known: its file, what it was started as, and the script that a runtime runs. */
export function namesOfProgram(facts: ProcessFacts): string[] {
  const { program, words } = facts;
  const script = isRuntime(facts) ? words.slice(1).find((word) => !word.startsWith("-")) : undefined;
  return [program, words[0], script].filter((name) => name !== undefined && name !== "") as string[];
}
