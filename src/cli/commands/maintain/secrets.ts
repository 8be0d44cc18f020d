/** `rethread secrets`: finds secrets in local sessions, and takes them out. */
import { AppError } from "../../../model/errors.ts";
import { formatKey } from "../../../model/values/id.ts";
import { apply, previewVendorRows, written } from "../../../operations/changes/apply.ts";
import { secretsScan, secretsScrub } from "../../../operations/hub/secrets.ts";
import { plural } from "../../../present/text/measure.ts";
import { refuseOthers } from "../../action-args.ts";
import type { ArgSpecs } from "../../args.ts";
import { defineCommand } from "../../command.ts";
import { SESSIONS_HELP, toWorkFilter, WORK_FILTER_ARGS } from "../../filters.ts";
import { interruptible } from "../../interrupt.ts";
import { printSecretScan } from "../../print/answers/secrets.ts";
import { JOB_SHAPE, WHEN_CLOSED_ARGS } from "../../when-closed.ts";
import { CHANGING_ARGS, runWriting } from "../../writing.ts";

const SECRETS_ARGS = {
  action: {
    kind: "positional",
    choices: ["scan", "scrub"],
    help: "scan (report what is found, and change nothing) or scrub (take it out)",
  },
  sessions: { kind: "positional", rest: true, optional: true, session: true, help: SESSIONS_HELP },
  ...WORK_FILTER_ARGS,
  all: {
    kind: "flag",
    help: "`scrub`: every session that the filters let through and in which something is found",
  },
  ...CHANGING_ARGS,
  ...WHEN_CLOSED_ARGS,
} as const satisfies ArgSpecs;

const FILTERS = Object.keys(WORK_FILTER_ARGS);

export default defineCommand({
  name: "secrets",
  summary: "Find secrets in local sessions, and take them out",
  about:
    "`scan` searches the files of sessions for keys, tokens and passwords: the same kinds that never leave for a hub. It reports where they are, never what they are, and its exit code is 1 when it finds something. `scrub` replaces each by a mark such as [redacted: github token 1f2e3d4c]. The same secret has the same mark everywhere, every other byte stays as it is, and the session can still be continued. A scrub can be undone, so its backup still has the secrets until `rethread history --confirm` removes it. Databases, and the copies of your own files that an agent keeps to undo its edits, are not searched. A secret that was in a session has been sent to a model, so also replace the secret itself. Sessions that rethread can only read can be scanned but not scrubbed.",
  args: SECRETS_ARGS,
  isPaged: true,
  examples: [
    { command: "rethread secrets scan", why: "look through everything" },
    { command: "rethread secrets scan latest", why: "look through one session" },
    { command: "rethread secrets scrub 0b1c2d3e", why: "see what would change, and confirm it" },
    { command: "rethread secrets scrub --all --since 30d --dry-run", why: "see it for all recent sessions" },
  ],
  operations: [secretsScan, secretsScrub, apply, previewVendorRows],
  json: [
    { when: "of `scan`", schema: secretsScan.output },
    { when: "of `scrub`", schema: written(secretsScrub.output) },
    JOB_SHAPE,
  ],
  async run({ args, config, out, openApp }) {
    const app = await openApp();
    const scan = (sessions: readonly string[]) =>
      interruptible(({ signal }) =>
        out.progress("Looking for secrets", (call) =>
          secretsScan.run(
            app,
            { ...toWorkFilter(args, config), ...(sessions.length > 0 && { sessions }) },
            { ...call, signal },
          ),
        ),
      );
    if (args.action === "scan") {
      refuseOthers("secrets scan", SECRETS_ARGS, args, ["sessions", "yes", ...FILTERS]);
      const found = await scan(args.sessions);
      if (args.json) out.json(secretsScan.toJson(found, app));
      else
        for (const line of printSecretScan(found, {
          ...{ style: out.style, columns: out.columns, isDemo: app.demo !== undefined },
        }))
          out.line(line);
      return found.findings.length > 0 ? 1 : 0;
    }
    if (args.all === args.sessions.length > 0)
      throw new AppError(
        "usage",
        args.all
          ? "secrets scrub takes sessions or --all, not both"
          : "secrets scrub needs at least one session",
        "Name sessions, or add --all; see what is found: rethread secrets scan",
      );
    if (!args.all) {
      refuseOthers("secrets scrub <session>", SECRETS_ARGS, args, [
        "sessions",
        ...Object.keys(CHANGING_ARGS),
        ...Object.keys(WHEN_CLOSED_ARGS),
      ]);
      return runWriting(args, openApp, out, secretsScrub, { sessions: args.sessions });
    }
    const { findings } = await scan([]);
    const found = [...new Set(findings.map(({ session }) => formatKey(session)))];
    const refused = new Set(
      (await app.abilities()).flatMap(({ source, cannot }) =>
        cannot.some(({ change }) => change === "secrets-scrub") ? [source] : [],
      ),
    );
    const sessions = found.filter((name) => !refused.has(name.slice(0, name.indexOf(":"))));
    if (sessions.length < found.length)
      out.note(
        `${plural(found.length - sessions.length, "session", "sessions")} with secrets stay as they are, because Rethread cannot change sessions of their program yet.`,
      );
    if (sessions.length === 0) {
      if (args.json) throw nothingToScrub();
      out.line("Nothing to do: no known kind of secret was found in sessions that can be changed.");
      return 0;
    }
    return runWriting(args, openApp, out, secretsScrub, { sessions });
  },
});

const nothingToScrub = (): AppError =>
  new AppError(
    "nothing-found",
    "No known kind of secret was found in sessions that can be changed",
    "See what was looked through: rethread secrets scan",
  );
