/** `rethread move`: moves sessions to another folder. */

import { AppError } from "../../../model/errors.ts";
import { apply, previewVendorRows, written } from "../../../operations/changes/apply.ts";
import { move } from "../../../operations/changes/move.ts";
import { defineCommand } from "../../command.ts";
import { SESSIONS_HELP } from "../../filters.ts";
import { JOB_SHAPE, WHEN_CLOSED_ARGS } from "../../when-closed.ts";
import { CHANGING_ARGS, runWriting } from "../../writing.ts";

export default defineCommand({
  name: "move",
  summary: move.summary,
  brief: "Move sessions to another folder, as when it was renamed",
  about:
    "Use it when a folder was renamed or moved, or has another path on another machine (such a path is used as given). The folder, the git root and all paths below them are rewritten in tool calls, attachments, recorded file states and similar records, so that the model continues in the new folder. What people, the model and tools wrote is not rewritten unless you add --text. No file of the workspace is changed. Repository and branch are kept, unless the new folder has another remote. Chats of VS Code move to the workspace of the new folder, which VS Code need not have opened before, and into its list; the addresses of files are rewritten, and --editor moves the chats to another editor. With --map, sessions that were written on another machine or system go to the same place below another folder: separators are changed, and of Windows case does not matter.",
  args: {
    sessions: {
      kind: "positional",
      session: true,
      rest: true,
      optional: true,
      help: SESSIONS_HELP,
    },
    to: {
      kind: "text",
      value: "folder",
      completes: "workspaces",
      help: "the folder's new path; for VS Code also the id of a workspace, or a .code-workspace file",
    },
    from: {
      kind: "text",
      value: "folder",
      help: "instead of naming sessions: all sessions of this folder and the folders below it",
    },
    map: {
      kind: "list",
      value: "from=to",
      help: "instead of naming sessions or a folder: all sessions below the first folder move to the same place below the second; may be repeated",
    },
    editor: {
      kind: "text",
      value: "name",
      help: "the editor to move the chats to: stable, insiders, vscodium, or the path of its User folder",
    },
    text: { kind: "flag", help: "also rewrite the old path in messages, commands and outputs" },
    ...CHANGING_ARGS,
    ...WHEN_CLOSED_ARGS,
  },
  examples: [
    { command: "rethread move 0b1c2d3e --to ../shop", why: "the folder has a new name" },
    {
      command: "rethread move --from ~/src/shop --to ~/code/shop --dry-run",
      why: "see which sessions would move",
    },
    {
      command: "rethread move --from . --to . --editor insiders",
      why: "move this folder's chats from VS Code to VS Code Insiders",
    },
    {
      command: "rethread move --map 'C:\\work=/home/me/work' --dry-run",
      why: "sessions that were written on Windows: see where each would go",
    },
  ],
  operations: [move, apply, previewVendorRows],
  json: [{ schema: written(move.output) }, JOB_SHAPE],
  run: async ({ args, out, openApp, pickSession }) => {
    const { from, to, text, editor } = args;
    if (args.map.length > 0) {
      if (args.sessions.length > 0 || from !== undefined || to !== undefined)
        throw new AppError(
          "usage",
          "--map says itself which sessions move, and where to",
          "Leave out sessions, --from and --to",
        );
      return runWriting(args, openApp, out, move, {
        maps: args.map.map(toMap),
        text,
        ...(editor !== undefined && { editor }),
      });
    }
    if (to === undefined) throw new AppError("usage", "move needs a folder to move to", "Add --to <folder>");
    const isOpen = args.sessions.length === 0 && from === undefined;
    const sessions = isOpen && pickSession ? [await pickSession()] : args.sessions;
    const isNamed = sessions.length > 0;
    if (isNamed === (from !== undefined))
      throw new AppError(
        "usage",
        "move needs either a session or --from <folder>",
        isNamed ? "Use only one of them" : "Name a session, or add --from <folder>",
      );
    return runWriting(args, openApp, out, move, {
      to,
      text,
      ...(isNamed && { sessions }),
      ...(from !== undefined && { from }),
      ...(editor !== undefined && { editor }),
    });
  },
});

/** `from=to`; where a path has such a sign itself, the last one before a whole path counts. */
function toMap(text: string): { from: string; to: string } {
  const places = [...text.matchAll(/=/g)].map(({ index }) => index);
  const at = places.findLast((place) => /^([~.\\/]|[A-Za-z]:[\\/])/.test(text.slice(place + 1))) ?? places[0];
  const [from, to] = at === undefined ? ["", ""] : [text.slice(0, at), text.slice(at + 1)];
  if (from === "" || to === "")
    throw new AppError(
      "usage",
      `${text} does not say which folder is where`,
      "Write it as --map '<old folder>=<new folder>'",
    );
  return { from, to };
}
