/** Reads a chat from a file: an export of VS Code, or one of its session files. */
import { AppError } from "../../../../model/errors.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { writeJson } from "../../../../model/values/json.ts";
import { toMs } from "../../../../model/values/time.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { InterchangeRequest, ReceivedSession } from "../../../interchange.ts";
import { uriOf } from "../../demo/compose-tools.ts";
import { SOURCE } from "../../format/problems.ts";
import { toIdentity } from "../copy/identity.ts";
import { type Inspection, inspectSession, nothingToShow } from "../copy/inspect.ts";
import { amendState, readState } from "../patch/state.ts";

/** What its text is called until it has found its place. */
export const RECEIVED = "chat.json";

export async function readChat(
  fs: SessionFs,
  path: string,
  { id, now, name, workspace }: InterchangeRequest,
): Promise<ReceivedSession> {
  const inspected = await lookAtChat(fs, path, id);
  if (inspected.turns.length === 0) throw nothingToShow(path);
  const state = amendState(await readState(fs, path), [
    ...toIdentity(inspected, inspected.turns, { id, title: name ?? inspected.title, isElsewhere: true }),
    { path: ["version"], value: 3 },
    { path: ["creationDate"], value: beginningOf(inspected) ?? now.getTime() },
    { path: ["initialLocation"], value: "panel" },
  ]);
  const last = inspected.turns.at(-1)?.endedAt;
  return {
    log: { path: RECEIVED, lines: [writeJson(state)] },
    texts: [{ path: "workspace.json", text: JSON.stringify({ folder: uriOf(workspace).external }) }],
    mtimeMs: last ?? now.getTime(),
  };
}

async function lookAtChat(fs: SessionFs, path: string, id: string): Promise<Inspection> {
  const { size, mtimeMs, ino } = await fs.stat(path);
  const artifact: Artifact = { source: SOURCE, id, root: "", path, fingerprint: { size, mtimeMs, ino } };
  try {
    return await inspectSession(fs, artifact);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new AppError(
      error.code,
      `${path}: ${error.message}`,
      "Export the chat again, and import that",
      error,
    );
  }
}

/** An export has no date of its own. */
const beginningOf = ({ head, turns }: Inspection): number | undefined =>
  toMs(head.creationDate) ?? turns.find(({ startedAt }) => startedAt !== undefined)?.startedAt;
