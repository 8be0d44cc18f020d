/** The driver for Claude Code. */
import type { Abilities, Driver } from "../../driver.ts";
import { flagsIn, versionIn } from "../../driver-records.ts";
import { commandLine } from "./command-line.ts";
import { readSpent } from "./spent.ts";
import { createStream } from "./stream.ts";
import { capture, findTranscript, hasConversation, newTranscript, sessions } from "./transcripts.ts";

export const driver: Driver = {
  program: "claude",
  install: "npm install -g @anthropic-ai/claude-code",
  login: "Start claude once and run /login there",
  probes: { version: ["--version"], help: ["--help"] },
  readAbilities,
  commandLine,
  // Text is all that older versions print.
  createStream: ({ tellsEvents }) =>
    tellsEvents ? createStream() : (line) => [{ kind: "text", message: "", text: `${line}\n` }],
  explain: (complaints) =>
    /No conversation found/i.test(complaints)
      ? "gone"
      : /Not logged in|Please run \/login|Invalid API key/i.test(complaints)
        ? "logged-out"
        : "other",
  logPath: async (fs, root, id, folder) =>
    (await findTranscript(fs, root, id)) ?? newTranscript(root, id, folder),
  async logEnd(fs, root, id) {
    const transcript = await findTranscript(fs, root, id);
    if (transcript === undefined || !(await hasConversation(fs, transcript))) return 0;
    return (await fs.stat(transcript)).size;
  },
  async spentSince(fs, root, id, place) {
    const transcript = await findTranscript(fs, root, id);
    return transcript === undefined ? {} : readSpent(fs, transcript, place);
  },
  sessions,
  capture,
};

export function readAbilities(version: string, help: string): Abilities {
  const flags = flagsIn(help);
  return {
    version: versionIn(version),
    takesId: flags.has("--session-id"),
    tellsEvents: flags.has("--output-format") && help.includes("stream-json"),
    streams: flags.has("--include-partial-messages"),
    resumes: flags.has("--resume"),
  };
}
