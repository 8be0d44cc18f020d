/** The driver for Copilot CLI. */
import type { Abilities, Driver } from "../../driver.ts";
import { flagsIn, versionIn } from "../../driver-records.ts";
import { LOG, stateFolder, under } from "../workspace/locate.ts";
import { captureSession, sessions } from "./capture.ts";
import { commandLine } from "./command-line.ts";
import { readSpent } from "./spent.ts";
import { createStream } from "./stream.ts";

const logOf = (root: string, id: string): string => under(stateFolder(root), id, LOG);

export const driver: Driver = {
  program: "copilot",
  install: "npm install -g @github/copilot",
  login: "Start copilot once and run /login there",
  probes: { version: ["--version"], help: ["--help"] },
  readAbilities,
  commandLine,
  // Text is all that older versions print.
  createStream: ({ tellsEvents }) =>
    tellsEvents ? createStream() : (line) => [{ kind: "text", message: "", text: `${line}\n` }],
  explain: (complaints) =>
    /No session(, task, or name| or task)? matched/i.test(complaints)
      ? "gone"
      : /No authentication information found|not logged in/i.test(complaints)
        ? "logged-out"
        : "other",
  logPath: async (_, root, id) => logOf(root, id),
  async logEnd(fs, root, id) {
    const log = logOf(root, id);
    return (await fs.exists(log)) ? (await fs.stat(log)).size : 0;
  },
  async spentSince(fs, root, id, place) {
    const log = logOf(root, id);
    return (await fs.exists(log)) ? readSpent(fs, log, place) : {};
  },
  sessions,
  capture: captureSession,
};

export function readAbilities(version: string, help: string): Abilities {
  const flags = flagsIn(help);
  return {
    version: versionIn(version),
    takesId: flags.has("--session-id"),
    tellsEvents: flags.has("--output-format"),
    streams: flags.has("--stream"),
    resumes: flags.has("--resume"),
  };
}
