/** `rethread rewind`: a session cut back to a turn. */
import { AppError } from "../../model/errors.ts";
import { shellLine } from "../../model/shell-words.ts";
import { defineCommand } from "../command.ts";
import { SESSION_ARG } from "../filters.ts";
import { CHANGING_ARGS, runWriting, WRITING_JSON } from "../writing.ts";

export default defineCommand({
  name: "rewind",
  summary: "Cut a session back to a turn; what goes is kept in a backup, so it can be undone",
  about:
    "Of Copilot CLI: it keeps its id, and its checkpoints go with the turns that made them. The files of the workspace stay as they are unless --files takes them back, too: to the states that Copilot CLI recorded, and only where nobody has changed them since. Files outside the session's folder and repository, and all files of a session that is about a whole home, need --outside. In VS Code the turns up to there become a session of their own, unless --in-place cuts the original; VS Code must not be running.",
  args: {
    ...SESSION_ARG,
    to: { kind: "number", value: "turn", help: "the last turn to keep, counted from 0" },
    files: {
      kind: "flag",
      help: "take the workspace's files back to what they were before the turns that go",
    },
    outside: {
      kind: "flag",
      help: "with --files: also files outside the folder that the session is about",
    },
    inPlace: { kind: "flag", help: "in VS Code: cut the session itself instead of making one beside it" },
    ...CHANGING_ARGS,
  },
  examples: [
    { command: "rethread rewind 0b1c2d3e --to 11", why: "see what would go, and be asked" },
    { command: "rethread rewind 0b1c2d3e --to 11 --files", why: "with the files those turns wrote" },
    { command: "rethread undo", why: "have the later turns back" },
  ],
  json: {
    ...WRITING_JSON,
    "files[]":
      "files that the dropped turns had changed: `path`, `change` (`created`, `modified` or `deleted`), `becomes` (`restored`, `removed` or `unchanged`), `linesAdded`, `linesRemoved`; `place` where links lead from the path to another file, `isOutside` where that is not in the session's folder",
  },
  run: ({ args, out, openApp }) => {
    const { session, to, files, outside, inPlace } = args;
    if (to === undefined)
      throw new AppError(
        "usage",
        "rewind needs the last turn to keep",
        `See its turns (${shellLine`rethread show ${session}`}), then write --to <turn>`,
      );
    if (outside && !files)
      throw new AppError(
        "usage",
        "--outside says which files go back, and without --files none do",
        "Write --files --outside",
      );
    return runWriting(args, openApp, out, (edit, progress) =>
      edit.planRewind(session, to, { files, outside, inPlace }, progress),
    );
  },
});
