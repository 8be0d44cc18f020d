/** `rethread import`: sessions that come from another machine or program. */
import { defineCommand } from "../command.ts";
import { ADDING_ARGS, runWriting, WRITING_JSON } from "../writing.ts";

export default defineCommand({
  name: "import",
  summary: "Take in sessions from a bundle, a transcript of Copilot CLI, or a chat that VS Code exported",
  about:
    "What the file is, its content tells. A bundle of `rethread export` brings its sessions back as they were, with all that belongs to them; each keeps its id, so that importing twice makes no second one. A transcript as `copilot sessions import` takes it always makes a new session, and keeps the times that Copilot CLI's own import loses. So does a chat from *Export Chat…* of VS Code (or a session file of it): it goes to the workspace that --to names, by default this folder, and into its list of chats, where VS Code's own import leaves it out. Everything is checked before anything is written, and `undo` takes it back. For sessions of Copilot CLI and VS Code.",
  args: {
    file: { kind: "positional", help: "the bundle (.tar.gz or .tar), transcript (.jsonl) or chat (.json)" },
    name: { kind: "text", value: "name", help: "what the session is called here (default: as it was)" },
    to: {
      kind: "text",
      value: "folder",
      help: "the folder that it is about here, instead of the old one; for VS Code also a workspace id or file",
    },
    newId: { kind: "flag", help: "as a session of its own, beside the one that has the id already" },
    ...ADDING_ARGS,
  },
  examples: [
    { command: "rethread import session.tar.gz", why: "go on here with what began elsewhere" },
    { command: "rethread import session.tar.gz --to . --dry-run", why: "see first what would be written" },
    {
      command: "rethread import chat.json --to .",
      why: "a chat that VS Code exported, among those of this folder",
    },
    {
      command: "rethread import chat.jsonl --name 'From the other tool'",
      why: "a transcript of any program",
    },
  ],
  json: { ...WRITING_JSON, "also[]": "the other sessions of the bundle: `source`, `id`" },
  run: ({ args, out, openApp }) =>
    runWriting(args, openApp, out, (edit, progress) => {
      const request = {
        newId: args.newId,
        ...(args.name !== undefined && { name: args.name }),
        ...(args.to !== undefined && { to: args.to }),
      };
      return edit.planImport(args.file, request, progress);
    }),
});
