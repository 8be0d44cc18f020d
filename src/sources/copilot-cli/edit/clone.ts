/** A clone: everything in the session's folder, with a new id. Every line but session.start stays byte for byte. */
import type { Draft } from "../../../model/plan.ts";
import type { Artifact } from "../../../model/session.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import type { CloneRequest } from "../../source.ts";
import { LOG, SOURCE, under } from "../locate.ts";
import { findOwner } from "../locks.ts";
import { WORKSPACE_FILE } from "../workspace.ts";
import { logBasis, newFolder, openFolder, planFolder, WRITTEN_ANEW } from "./folder.ts";
import { isInRepository, readMetadata, toStartLine, toWorkspaceText } from "./identity.ts";
import { toPlace } from "./place.ts";
import { survey } from "./survey.ts";

/** A database that its program may be writing now cannot be copied as a file. */
const TASKS = /^session\.db(-wal)?$/;

export async function clone(fs: SessionFs, artifact: Artifact, request: CloneRequest): Promise<Draft> {
  const folder = openFolder(artifact);
  const metadata = await readMetadata(fs, artifact, folder);
  const { start, size } = await survey(fs, artifact);
  const isOpen = (await findOwner(fs, folder.path)) !== undefined;
  const place = request.workspace === undefined ? undefined : toPlace(request.workspace);
  const identity = { ...request, ...(place && { place }) };
  const to = newFolder(artifact.root, request.id);
  const plan = planFolder(folder, to, request.now);
  const losses: string[] = [];

  plan.add(LOG, [
    ...(start.start > 0 ? [{ file: artifact.path, start: 0, end: start.start }] : []),
    { text: toStartLine(start.text, identity) },
    { file: artifact.path, start: start.end, end: size },
  ]);
  const named = request.name === undefined ? {} : { name: request.name, user_named: true };
  plan.add(WORKSPACE_FILE, [{ text: toWorkspaceText(metadata, identity, named) }]);
  for (const entry of folder.entries) {
    const name = folder.nameOf(entry);
    if (WRITTEN_ANEW.includes(name)) continue;
    if (isOpen && TASKS.test(name)) losses.push(`the task list (${name}), as the session is open`);
    else plan.copy(entry);
  }
  if (place && !place.isInRepository && isInRepository(metadata))
    losses.push("repository and branch, as the new folder is in none");
  return {
    session: { source: SOURCE, id: request.id, path: under(to, LOG) },
    basis: [...logBasis(folder, size), ...plan.basis()],
    steps: [{ does: "place", path: to, entries: plan.entries() }],
    ...(request.name !== undefined && { name: request.name }),
    losses,
  };
}
