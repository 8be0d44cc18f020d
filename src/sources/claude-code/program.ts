/** How Claude Code looks among the processes of a machine. */
import { namesOfProgram, type ProcessFacts } from "../../platform/ps.ts";

/** Its installer keeps versions in files that are called by their numbers. */
const PROGRAM = /(^|[\\/])claude(\.exe)?$|[\\/]@anthropic-ai[\\/]claude-|[\\/]claude[\\/]versions[\\/]/i;

export const isClaude = (facts: ProcessFacts): boolean =>
  namesOfProgram(facts).some((name) => PROGRAM.test(name));
