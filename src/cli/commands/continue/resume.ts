/** `rethread resume`: continues a session in its own program and folder. */

import type { App, FolderMatch, FolderMatches } from "../../../app/contract.ts";
import { AppError } from "../../../model/errors.ts";
import { shellLine, shellLineIn, toShell } from "../../../model/text/shell-words.ts";
import { formatKey, shortId } from "../../../model/values/id.ts";
import { folderMatches } from "../../../operations/questions/folder-matches.ts";
import { launch } from "../../../operations/questions/launch.ts";
import { titleOf } from "../../../present/text/facts.ts";
import type { ArgSpecs } from "../../args.ts";
import { defineCommand, type Invocation } from "../../command.ts";
import { SESSION_ARG } from "../../filters.ts";

export default defineCommand({
  name: "resume",
  summary: "Continue a session in its own program, in the session's folder",
  about:
    "Without a name, it continues the best match for the current folder, whichever agent it was: the same repository and branch, then the same repository, then the same git work tree, then the same folder; of several, the latest that is not open. It says which one it chose, and why. VS Code opens its folder, where the chat is in the list of chats; other agents resume the session. If the folder is gone, they start in the current folder, and VS Code does not start.",
  args: {
    session: { ...SESSION_ARG.session, optional: true },
    print: { kind: "flag", help: "print the command instead of running it" },
  },
  examples: [
    { command: "rethread resume", why: "continue the work in this folder" },
    { command: "rethread resume 'flaky login'", why: "continue where you stopped" },
    { command: 'eval "$(rethread resume 0b1c2d3e --print)"', why: "run the command in this shell" },
  ],
  operations: [launch, folderMatches],
  json: [
    {
      schema: (z) =>
        launch.output(z).extend({
          why: z.string().nullable().describe("where no session was named: why it is this one"),
        }),
    },
  ],
  async run({ args, config, out, openApp, pickSession }) {
    const app = await openApp();
    const { session, why } =
      args.session === undefined
        ? await chooseHere(app, args.json ? undefined : pickSession)
        : { session: args.session };
    const planned = await launch.run(app, { session });
    const { label, words, vars, folder, missing } = planned;
    if (args.json) {
      out.json({ ...launch.toJson(planned, app), why: why ?? null });
      return 0;
    }
    if (why !== undefined)
      out.note(
        `Continuing ${JSON.stringify(titleOf(planned.session))} (${shortKey(planned.session)}), ${why}.`,
      );
    if (args.print) {
      if (missing !== undefined) out.note(`${missing} does not exist here, so run this in another folder.`);
      out.line(shellLineIn(folder, toShell(words), vars));
      return 0;
    }
    const { startInTerminal } = await import("../../../app/launching.ts");
    if (missing !== undefined)
      out.note(`${missing} does not exist here, so ${label} starts in the current folder.`);
    const code = await startInTerminal(config, app.demo, planned, folder ?? config.folder);
    if (code !== undefined) return code;
    throw new AppError(
      "program-missing",
      `${words[0]} was not found on PATH`,
      `Install ${label}, or print the command to paste where it is installed: ${shellLine`rethread resume ${shortKey(planned.session)} --print`}${app.demo ? " --demo" : ""}`,
    );
  },
});

const shortKey = (session: FolderMatch["session"]): string =>
  formatKey({ ...session, id: shortId(session.id) });

interface Chosen {
  readonly session: string;
  /** Missing where a person chose it. */
  readonly why?: string;
}

/** The best match for the current folder; the person is asked only where there is none, or several are equally good. */
async function chooseHere(app: App, pickSession: Invocation<ArgSpecs>["pickSession"]): Promise<Chosen> {
  const found = await folderMatches.run(app, {});
  const [best] = found.matches;
  if (found.equal > 1) throw severalMatch(found);
  if (best) return { session: formatKey(best.session), why: reasonFor(best, found) };
  if (pickSession) return { session: await pickSession() };
  throw new AppError("session-not-found", `No session is about this folder: ${found.here.folder}`, {
    say: "See all sessions",
    remedy: { action: "list" },
  });
}

function reasonFor({ by }: FolderMatch, { here, matches }: FolderMatches): string {
  const alike = matches.filter((match) => match.by === by).length;
  const which = alike === 1 ? "the only session" : `the latest of ${alike} sessions`;
  switch (by) {
    case "branch":
      return `${which} on ${here.branch} of ${here.repository}`;
    case "repository":
      return `${which} in ${here.repository}`;
    case "git-root":
      return `${which} below ${here.gitRoot}`;
    case "folder":
      return `${which} in this folder`;
  }
}

function severalMatch({ here, matches, equal }: FolderMatches): AppError {
  const sessions = matches.slice(0, equal).map(({ session }) => ({ session, name: shortKey(session) }));
  return new AppError(
    "session-ambiguous",
    `${equal} sessions match this folder equally well: ${here.folder}`,
    `Name one, for example ${sessions[0]?.name}`,
    undefined,
    { name: "", matches: sessions },
  );
}
