/** Recognizes Codex CLI's processes, and the session on their command line; what they write they keep open. */
import { namesOfProgram, type ProcessFacts } from "../../platform/process/ps.ts";
import type { ProgramSigns } from "../machine/program.ts";

const PROGRAM = /(^|[\\/])codex(\.exe|\.js)?$|[\\/]@openai[\\/]codex/i;

export const signs: ProgramSigns = {
  isProgram: (facts: ProcessFacts) => namesOfProgram(facts).some((name) => PROGRAM.test(name)),
  // One that forks a session only reads it.
  sessionsIn: (words) => {
    const at = words.indexOf("resume");
    return at < 0 ? [] : words.slice(at + 1).filter((word) => UUID.test(word));
  },
  isCalled: async (_, { id }, name) => name.toLowerCase() === id,
};

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
