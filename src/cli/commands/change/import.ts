/** `rethread import`: imports sessions from another machine or program. */
import { apply, previewVendorRows, written } from "../../../operations/changes/apply.ts";
import { importSessions } from "../../../operations/changes/import.ts";
import { defineCommand } from "../../command.ts";
import { JOB_SHAPE, WHEN_CLOSED_ARGS } from "../../when-closed.ts";
import { ADDING_ARGS, runWriting } from "../../writing.ts";

export default defineCommand({
  name: "import",
  summary: importSessions.summary,
  brief: "Import sessions from a bundle, a transcript or a chat",
  about:
    "The kind of file is recognized by its content. A bundle of `rethread export` restores its sessions as they were, with everything that belongs to them; each keeps its id, so importing a bundle twice makes no duplicates. A transcript in the format of `copilot sessions import` always makes a new session, and keeps the times that Copilot CLI's own import loses. A chat from *Export Chat…* in VS Code (or one of its session files) makes a new session as well: in the workspace that --to names, by default this folder, and in its list of chats, which VS Code's own import leaves out. Everything is checked before anything is written, and `undo` removes it again. For sessions of Copilot CLI, VS Code and Claude Code.",
  args: {
    file: { kind: "positional", help: "the bundle (.tar.gz or .tar), transcript (.jsonl) or chat (.json)" },
    name: { kind: "text", value: "name", help: "the session's name here (default: the name it had)" },
    to: {
      kind: "text",
      value: "folder",
      completes: "workspaces",
      help: "the session's folder here, instead of the old one; for VS Code also a workspace id or file",
    },
    newId: { kind: "flag", help: "import as a new session beside the one that already has this id" },
    ...ADDING_ARGS,
    ...WHEN_CLOSED_ARGS,
  },
  examples: [
    { command: "rethread import session.tar.gz", why: "continue here what began on another machine" },
    { command: "rethread import session.tar.gz --to . --dry-run", why: "see what would be written first" },
    {
      command: "rethread import chat.json --to .",
      why: "a chat that VS Code exported, into this folder's chats",
    },
    {
      command: "rethread import chat.jsonl --name 'From the other tool'",
      why: "a transcript of any program",
    },
  ],
  operations: [importSessions, apply, previewVendorRows],
  json: [{ schema: written(importSessions.output) }, JOB_SHAPE],
  run: ({ args, out, openApp }) =>
    runWriting(args, openApp, out, importSessions, {
      file: args.file,
      newId: args.newId,
      ...(args.name !== undefined && { name: args.name }),
      ...(args.to !== undefined && { to: args.to }),
    }),
});
