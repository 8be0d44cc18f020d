/** How Copilot CLI looks among the processes of a machine. */
import { namesOfProgram, type ProcessFacts } from "../../platform/ps.ts";
import { isEditor } from "../editors.ts";

const PROGRAM = /(^|[\\/])copilot(\.exe)?$|[\\/]@github[\\/]copilot[\\/-]/i;

export const isCopilot = (facts: ProcessFacts): boolean =>
  namesOfProgram(facts).some((name) => PROGRAM.test(name));

/** Editors have the same engine built in, with the same locks. */
export const mayHoldSessions = (facts: ProcessFacts): boolean => isCopilot(facts) || isEditor(facts);
