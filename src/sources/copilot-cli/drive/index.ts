/** Copilot CLI as a program that is talked to. */
import type { Driver } from "../../driver.ts";
import { LOG, stateFolder, under } from "../locate.ts";
import { readAbilities } from "./abilities.ts";
import { captureSession, sessions } from "./capture.ts";
import { commandLine } from "./command-line.ts";
import { createStream } from "./stream.ts";

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
  explain: (stderr) =>
    /No session(, task, or name| or task)? matched/i.test(stderr)
      ? "gone"
      : /No authentication information found|not logged in/i.test(stderr)
        ? "logged-out"
        : "other",
  async holds(fs, root, id) {
    const log = under(stateFolder(root), id, LOG);
    return (await fs.exists(log)) && (await fs.stat(log)).size > 0;
  },
  sessions,
  capture: captureSession,
};
