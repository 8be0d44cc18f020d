/** `rethread clone`: copies a session under a new id. */
import { apply, previewVendorRows, written } from "../../../operations/changes/apply.ts";
import { clone } from "../../../operations/changes/clone.ts";
import { defineCommand } from "../../command.ts";
import { SESSION_ARG } from "../../filters.ts";
import { REDUCTION_ARGS, toReduction } from "../../parse/reduction.ts";
import { JOB_SHAPE, WHEN_CLOSED_ARGS } from "../../when-closed.ts";
import { ADDING_ARGS, runWriting, WITH_ARG } from "../../writing.ts";

export default defineCommand({
  name: "clone",
  summary: clone.summary,
  about:
    "Everything is included unless an option leaves it out: the log line for line, the plan, checkpoints, files, and the file states to rewind to. For sessions of Copilot CLI and of VS Code, which must not be running; VS Code lists the clone when it starts, in the same workspace or the one that --to names. The clone of a damaged session is repaired; the original is not touched.",
  args: {
    ...SESSION_ARG,
    to: {
      kind: "text",
      value: "folder",
      completes: "workspaces",
      help: "the workspace folder of the clone, instead of the original's; for VS Code also a .code-workspace file, or the id of a workspace, as `rethread workspaces` lists them",
    },
    paths: {
      kind: "choice",
      choices: ["keep", "rewrite"],
      help: "with --to: keep all addresses of files, or rewrite all below the old folder (default: rewrite those that exist at the same place below the new folder)",
    },
    name: { kind: "text", value: "name", help: `the clone's name (default: the original's, with "(clone)")` },
    ...REDUCTION_ARGS,
    ...WITH_ARG,
    ...ADDING_ARGS,
    ...WHEN_CLOSED_ARGS,
  },
  examples: [
    { command: "rethread clone 0b1c2d3e", why: "a copy to experiment with" },
    {
      command: "rethread clone 0b1c2d3e --to ../other --name 'Port it'",
      why: "a copy for another folder, a worktree for instance; files that are there are meant there",
    },
    {
      command: "rethread clone 0b1c2d3e --budget 60k",
      why: "continue a session that is too long with what matters of it",
    },
    { command: "rethread clone 0b1c2d3e --drop-oldest 50% --drop-tools", why: "choose what to leave out" },
    {
      command: "rethread clone 0b1c2d3e --drop-oldest 50% --summarize",
      why: "a summary in place of the first half",
    },
  ],
  operations: [clone, apply, previewVendorRows],
  json: [{ schema: written(clone.output) }, JOB_SHAPE],
  run: ({ args, out, openApp }) =>
    runWriting(args, openApp, out, clone, {
      session: args.session,
      ...(args.to !== undefined && { to: args.to }),
      ...(args.paths !== undefined && { paths: args.paths }),
      ...(args.name !== undefined && { name: args.name }),
      ...toReduction(args),
      ...(args.with !== undefined && { with: args.with }),
      summarize: args.summarize,
    }),
});
