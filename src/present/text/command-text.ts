/** Formats commands as they would be typed. */
import type { Session } from "../../model/session/session.ts";
import { shellLineIn, toShell } from "../../model/text/shell-words.ts";
import { formatKey, type SessionKey, shortId } from "../../model/values/id.ts";

export const commandText = (words: readonly string[], demo: boolean): string =>
  toShell(["rethread", ...words, ...(demo && words[0] !== "demo" ? ["--demo"] : [])]);

/** Continues a session, wherever it is pasted; for a program, with the whole name. */
export const resumeText = (session: SessionKey, demo: boolean): string =>
  commandText(["resume", formatKey(session)], demo);

/** The same for a person, who has just seen the session. */
export const shortResumeText = ({ id }: Pick<SessionKey, "id">, demo: boolean): string =>
  commandText(["resume", shortId(id)], demo);

/** The same for a reader who may not have rethread: the program's own command, in the session's folder. */
export function programText({ resume, workspace }: Session): string | undefined {
  if (resume === undefined || workspace === undefined || isElsewhere(workspace)) return resume;
  // A program that opens the folder itself needs no other.
  return resume.endsWith(` ${toShell([workspace])}`) ? resume : shellLineIn(workspace, resume);
}

/** On another machine, in a container, in the cloud. */
const isElsewhere = (workspace: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(workspace);
