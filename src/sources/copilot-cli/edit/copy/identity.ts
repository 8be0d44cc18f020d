/** Gives a copy its own identity: changes session.start and workspace.yaml, and nothing else. */

import type { Artifact, Session } from "../../../../model/session/session.ts";
import { memberOf } from "../../../../model/values/member.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { changeMembers } from "../../../../platform/json/members.ts";
import { asString } from "../../../log/jsonl.ts";
import { read } from "../../read.ts";
import { WORKSPACE_FILE } from "../../workspace/workspace.ts";
import { type SessionFolder, textOf } from "./folder.ts";
import type { NotedFolder } from "./noted-folder.ts";
import { changeFields, hasFields, readFields, type Scalars } from "./workspace-text.ts";

export interface Identity {
  readonly id: string;
  readonly now: Date;
  /** Where it works from now on. */
  readonly place?: NotedFolder;
}

/** As the program's own fork does it: a new id and time, and no remote control. */
export function toStartLine(line: string, { id, now, place }: Identity): string {
  const time = now.toISOString();
  const data = { sessionId: id, startTime: time, remoteSteerable: undefined };
  const started = changeMembers(changeMembers(line, data, ["data"]), { timestamp: time });
  return place ? changeMembers(started, place.context, ["data", "context"]) : started;
}

export interface Metadata {
  readonly text: string;
  readonly name: string;
  readonly forks: number;
  readonly checkpoints: number;
  /** There is a file that can be read; else the text was made from what the log tells. */
  readonly isThere: boolean;
}

export async function readMetadata(
  fs: SessionFs,
  artifact: Artifact,
  folder: SessionFolder,
): Promise<Metadata> {
  const found = await textOf(fs, folder, WORKSPACE_FILE);
  const isThere = found !== undefined && hasFields(found);
  const text = isThere ? found : await tellMetadata(fs, artifact);
  const fields = readFields(text);
  const count = (key: string): number => Number(asString(memberOf(fields, key)) ?? 0) || 0;
  return {
    text,
    name: asString(fields.name) ?? asString(fields.summary) ?? "",
    forks: count("fork_count"),
    checkpoints: count("summary_count"),
    isThere,
  };
}

const readHead = (fs: SessionFs, artifact: Artifact): Promise<Session> =>
  read(fs, artifact, { event: () => undefined, problem: () => undefined }, { skim: true });

/** What a session without a name is called. */
export const titleOf = async (fs: SessionFs, artifact: Artifact): Promise<string> =>
  (await readHead(fs, artifact)).title;

/** What the program would know if the file were there. */
export async function tellMetadata(fs: SessionFs, artifact: Artifact): Promise<string> {
  const session = await readHead(fs, artifact);
  return changeFields("", {
    id: artifact.id,
    cwd: session.workspace,
    repository: session.repository,
    branch: session.branch,
    client_name: "github/cli",
    name: session.title,
    user_named: false,
    summary_count: 0,
    fork_count: 0,
    created_at: session.createdAt ?? session.updatedAt,
    updated_at: session.updatedAt,
  });
}

export function toWorkspaceText({ text }: Metadata, identity: Identity, changes: Scalars): string {
  const { id, now, place } = identity;
  const fields = readFields(text);
  // A copy is no longer what some remote side knows by these.
  const remote = Object.keys(fields).filter((key) => /^(mc_|remote_|chronicle_)/.test(key));
  return changeFields(text, {
    ...Object.fromEntries(remote.map((key) => [key, undefined])),
    id,
    fork_count: 0,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    ...place?.fields,
    ...changes,
  });
}

export const isInRepository = ({ text }: Metadata): boolean =>
  ["repository", "branch"].some((key) => memberOf(readFields(text), key) !== undefined);
