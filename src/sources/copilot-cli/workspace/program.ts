/** Recognizes Copilot CLI processes, and the session on their command line. */
import { namesOfProgram, type ProcessFacts } from "../../../platform/process/ps.ts";
import { isEditor } from "../../machine/editors.ts";
import { type ProgramSigns, valuesOf } from "../../machine/program.ts";
import { folderOf } from "./locate.ts";
import { readWorkspace } from "./workspace.ts";

const PROGRAM = /(^|[\\/])copilot(\.exe)?$|[\\/]@github[\\/]copilot[\\/-]/i;

export const isCopilot = (facts: ProcessFacts): boolean =>
  namesOfProgram(facts).some((name) => PROGRAM.test(name));

/** Editors have the same engine built in, with the same locks. */
export const mayHoldSessions = (facts: ProcessFacts): boolean => isCopilot(facts) || isEditor(facts);

/** Shorter ones are not taken for the start of an id. */
const SHORTEST_START = 7;
const WHOLE_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What its own log says when a session is opened and closed, in a terminal and as a server. */
const NOTE =
  /\] (Workspace initialized:|Registering foreground session:|(?:Resumed|Created) session:|Closing session|Cleaning up session) ([0-9a-f-]{36})/g;

/** Until its first prompt the program locks nothing, but will write to its session. */
export const signs: ProgramSigns = {
  isProgram: isCopilot,
  sessionsIn: (words) => valuesOf(words, ["--resume", "-r", "--session-id"]),
  notes: {
    isNotes: (pid, path) => new RegExp(`[\\\\/]process-\\d+-${pid}\\.log$`).test(path),
    sessionsIn(text) {
      const open = new Set<string>();
      for (const [, what = "", id = ""] of text.matchAll(NOTE))
        if (/^C(losing|leaning)/.test(what)) open.delete(id);
        else open.add(id);
      return [...open];
    },
  },
  async isCalled(fs, { id, path }, name) {
    const [wanted, own] = [name.toLowerCase(), id.toLowerCase()];
    if (own === wanted || (wanted.length >= SHORTEST_START && own.startsWith(wanted))) return true;
    const folder = folderOf(path);
    if (folder === undefined || WHOLE_ID.test(wanted)) return false;
    const workspace = await readWorkspace(fs, folder, () => undefined);
    return workspace.name?.toLowerCase() === wanted;
  },
};
