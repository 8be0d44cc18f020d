/** `rethread move`: sessions follow their folder to another path. */
import { AppError } from "../../model/errors.ts";
import { defineCommand } from "../command.ts";
import { CHANGING_ARGS, runWriting, WRITING_JSON } from "../writing.ts";

export default defineCommand({
  name: "move",
  summary: "Let sessions, or all sessions of a folder, follow that folder to another path",
  about:
    "For a folder that was renamed or moved, or that has another path on another machine: such a path is taken as it is given. Rewritten are the folder and the git root, and all paths below them in tool calls, attachments, recorded file states and the like; so the model goes on at the new place. What people, the model and tools wrote stays unless --text is given. No file of the workspace is touched. Repository and branch stay, unless the new folder has another remote. Chats of VS Code go to the workspace of the new folder, which may be one that VS Code has never opened, and into its list; addresses of files are rewritten, and with --editor the chats go from one editor to another. For sessions of Copilot CLI and VS Code.",
  args: {
    sessions: {
      kind: "positional",
      rest: true,
      optional: true,
      help: "each by any unique start of its id, its title, or source:id",
    },
    to: {
      kind: "text",
      value: "folder",
      help: "where the folder is now; for VS Code also the id of a workspace, or a .code-workspace file",
    },
    from: {
      kind: "text",
      value: "folder",
      help: "instead of sessions by name: all that are about this folder or one below it",
    },
    editor: {
      kind: "text",
      value: "name",
      help: "the editor whose chats they become: stable, insiders, vscodium, or the path of its User folder",
    },
    text: { kind: "flag", help: "rewrite the old path in messages, commands and outputs, too" },
    ...CHANGING_ARGS,
  },
  examples: [
    { command: "rethread move 0b1c2d3e --to ../shop", why: "the folder has a new name" },
    {
      command: "rethread move --from ~/src/shop --to ~/code/shop --dry-run",
      why: "see which sessions would follow",
    },
    {
      command: "rethread move --from . --to . --editor insiders",
      why: "take this folder's chats from VS Code to its Insiders",
    },
  ],
  json: {
    ...WRITING_JSON,
    move: "`from` (empty where they differ), `to`, `isHere` (the folder is on this machine), `toolCalls`, `attachments`, `fileStates`, `others` (paths rewritten), `mentions` of the old folder in text, `withText` (whether these were rewritten)",
    "sessions[]": "`source`, `id`, `title` of all that move",
  },
  run: ({ args, out, openApp }) => {
    const { sessions, from, to, text, editor } = args;
    const isNamed = sessions.length > 0;
    if (to === undefined)
      throw new AppError("usage", "move needs a folder to move to", "Write --to <folder>");
    if (isNamed === (from !== undefined))
      throw new AppError(
        "usage",
        "move needs either a session or --from <folder>",
        isNamed ? "Leave one of them out" : "Name one of them",
      );
    return runWriting(args, openApp, out, (edit, progress) =>
      edit.planMove(
        {
          to,
          text,
          ...(isNamed && { session: sessions }),
          ...(from !== undefined && { from }),
          ...(editor !== undefined && { editor }),
        },
        progress,
      ),
    );
  },
});
