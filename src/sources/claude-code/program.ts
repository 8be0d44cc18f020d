/** Recognizes Claude Code processes, and the session on their command line. */
import { namesOfProgram, type ProcessFacts } from "../../platform/process/ps.ts";
import { type ProgramSigns, valuesOf } from "../machine/program.ts";

/** Its installer keeps versions in files that are called by their numbers. */
const PROGRAM = /(^|[\\/])claude(\.exe)?$|[\\/]@anthropic-ai[\\/]claude-|[\\/]claude[\\/]versions[\\/]/i;

export const isClaude = (facts: ProcessFacts): boolean =>
  namesOfProgram(facts).some((name) => PROGRAM.test(name));

export const signs: ProgramSigns = {
  isProgram: isClaude,
  // One that forks a session only reads it.
  sessionsIn: (words) =>
    words.includes("--fork-session") ? [] : valuesOf(words, ["--resume", "-r", "--session-id"]),
  // Titles are found by a search of its own, of which only it knows the outcome.
  isCalled: async (_, { id, path }, name) => name === id || name === path,
};
