/** `rethread undo`: undoes one of our writes. */

import type { App, BoardChange } from "../../../app/contract.ts";
import { isJobName } from "../../../app/jobs/job-files.ts";
import { isBoardOperation } from "../../../model/board/item.ts";
import { AppError } from "../../../model/errors.ts";
import { apply, previewVendorRows, written } from "../../../operations/changes/apply.ts";
import { jobCancel, jobShape, toJobJson } from "../../../operations/changes/jobs.ts";
import { backupCopy, undo } from "../../../operations/changes/undo.ts";
import { history } from "../../../operations/questions/history.ts";
import { boardUndo } from "../../../operations/reports/board-upkeep.ts";
import { oneLine } from "../../../present/text/text.ts";
import { defineCommand } from "../../command.ts";
import type { Output } from "../../output.ts";
import { itemsOf } from "../../print/answers/board.ts";
import { JOB_SHAPE, WHEN_CLOSED_ARGS } from "../../when-closed.ts";
import { CHANGING_ARGS, isAgreed, runWriting } from "../../writing.ts";

export default defineCommand({
  name: "undo",
  summary: undo.summary,
  brief: "Undo a write of rethread, byte for byte",
  about:
    "Without an operation, the last write that was not undone yet. Files count as unchanged as long as they have the same bytes. If they were changed since the write, nothing is done, because those changes would be lost; --as-copy then restores the earlier state as a new session. An undo is a write as well, and can be undone by its operation. A job that still waits in the background is cancelled; of one that is done, the write is undone. Changes of the context board (board-…) are undone in the same way.",
  args: {
    operation: {
      kind: "positional",
      optional: true,
      help: "the operation or job as `rethread history` shows it (default: the last write)",
    },
    asCopy: {
      kind: "flag",
      help: "change nothing, and make a new session from the state before the write",
    },
    to: { kind: "text", value: "folder", help: "with --as-copy: the folder of the new session" },
    ...CHANGING_ARGS,
    ...WHEN_CLOSED_ARGS,
  },
  examples: [
    { command: "rethread undo --yes", why: "undo the last write" },
    { command: "rethread undo 3f2a9c1e", why: "undo another one" },
    {
      command: "rethread undo 3f2a9c1e --as-copy",
      why: "get the earlier state as a new session beside the current one",
    },
  ],
  operations: [undo, backupCopy, apply, previewVendorRows, jobCancel, boardUndo],
  json: [
    { schema: written(undo.output) },
    { when: "with `--as-copy`", schema: written(backupCopy.output) },
    JOB_SHAPE,
    { when: "when a job was cancelled", schema: jobShape },
    { when: "when a change of the context board was undone", schema: boardUndo.output },
  ],
  async run({ args, out, openApp }) {
    const { operation, asCopy, to, yes, ...rest } = args;
    if (!asCopy && to !== undefined)
      throw new AppError("usage", "--to needs --as-copy", "Add --as-copy, or leave out --to");
    if (operation !== undefined && isJobName(operation) && !asCopy) {
      const app = await openApp();
      const job = await (await app.jobs()).find(operation);
      if (job.operations.length === 0 && (job.state === "waiting" || job.state === "interrupted")) {
        const cancelled = args.dryRun ? job : await jobCancel.run(app, { job: operation });
        if (args.json) out.json(toJobJson(cancelled));
        else out.line(`${args.dryRun ? "Would cancel" : "Cancelled"} ${job.id}: nothing is written`);
        return 0;
      }
    }
    if (!asCopy) {
      const change = await boardChangeMeant(await openApp(), operation);
      if (change) return undoBoardChange(change, { args, app: await openApp(), out });
    }
    // What is the last write now may not be the last one after a wait.
    const meant = operation ?? (asCopy && args.whenClosed ? await lastWrite(await openApp()) : undefined);
    const named = meant === undefined ? {} : { operation: meant };
    // A new session changes nothing that exists, so no confirmation is needed.
    return asCopy
      ? runWriting(rest, openApp, out, backupCopy, { ...named, ...(to !== undefined && { to }) })
      : runWriting({ ...rest, yes }, openApp, out, undo, named);
  },
});

/** The change of the context board that is to be undone: by its name, or because it came after the last write. */
async function boardChangeMeant(app: App, name: string | undefined): Promise<BoardChange | undefined> {
  if (name !== undefined && !isBoardOperation(name)) return undefined;
  const { writes, board } = await history.run(app, {});
  const last = board.find(({ kind, undoneBy }) => kind !== "undo" && undoneBy === undefined);
  const named = name === undefined ? undefined : board.find(({ operation }) => operation.startsWith(name));
  if (name !== undefined && !named)
    throw new AppError("operation-not-found", `No change of the board matches "${name}"`, {
      say: "See all changes",
      remedy: { action: "history" },
    });
  if (named) return named;
  const write = writes.find(({ state, kind }) => state === "done" && kind !== "undo");
  return last && (!write || write.at < last.at) ? last : undefined;
}

async function undoBoardChange(
  change: BoardChange,
  {
    args,
    app,
    out,
  }: {
    args: { operation: string | undefined; dryRun: boolean; yes: boolean; json: boolean };
    app: App;
    out: Output;
  },
): Promise<number> {
  const said = `${change.kind} ${change.operation}: ${oneLine(itemsOf(change))}`;
  if (args.dryRun) {
    if (args.json) out.json(boardUndo.toJson(change, app));
    else out.line(`Would undo ${said}`);
    return 0;
  }
  if (!args.yes && !(await isAgreed(args, out, async () => [`Would undo ${said}`], "the context board")))
    return 1;
  const undone = await boardUndo.run(app, { operation: args.operation ?? change.operation });
  if (args.json) out.json(boardUndo.toJson(undone, app));
  else out.line(`Undone: ${said}, as ${undone.operation}`);
  return 0;
}

async function lastWrite(app: App): Promise<string | undefined> {
  const { writes } = await history.run(app, {});
  return writes.find(({ state, kind }) => state === "done" && kind !== "undo")?.operation;
}
