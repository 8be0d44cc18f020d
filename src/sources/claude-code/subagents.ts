/** The logs of sub-agents, and which tool call started each. */
import { dirname, join } from "node:path";
import { isErrno, reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";
import { asString, isObject } from "../log/jsonl.ts";
import { agentsFolder } from "./locate.ts";
import type { FirstPass, Report } from "./tree/first-pass.ts";

/** Paths of sub-agent logs by the id of the call that started them. */
export type Agents = Map<string, string>;

const LOG = /^(agent-.+)\.jsonl$/s;

/** Newer releases write the call's id beside the log; older ones only name the agent in the call's result. */
export async function findAgents(fs: SessionFs, transcript: string, report: Report): Promise<Agents> {
  const folder = agentsFolder(transcript);
  const agents: Agents = new Map();
  for (const name of await names(fs, folder, report)) {
    const stem = LOG.exec(name)?.[1];
    if (stem === undefined) continue;
    const call = await startedBy(fs, join(folder, `${stem}.meta.json`), report);
    if (call !== undefined) agents.set(call, join(folder, name));
  }
  return agents;
}

/** Adds the agents that only the results in a transcript name; in old releases their logs lie beside the transcript. */
export async function addNamedAgents(
  fs: SessionFs,
  transcript: string,
  { rows }: FirstPass,
  agents: Agents,
): Promise<void> {
  for (const [row, { agentId }] of rows.details) {
    const [answered] = rows.answers(row);
    if (agentId === undefined || answered === undefined || !rows.isLast(row)) continue;
    const call = rows.names.text(answered);
    if (agents.has(call)) continue;
    const places = [agentsFolder(transcript), dirname(transcript)];
    for (const path of places.map((place) => join(place, `agent-${agentId}.jsonl`)))
      if (!agents.has(call) && (await fs.exists(path))) agents.set(call, path);
  }
}

async function names(fs: SessionFs, folder: string, report: Report): Promise<string[]> {
  try {
    return (await fs.readdir(folder)).flatMap(({ kind, name }) => (kind === "file" ? [name] : []));
  } catch (error) {
    if (!isErrno(error, "ENOENT", "ENOTDIR"))
      report({ code: "folder-unreadable", path: folder, message: reasonOf(error) });
    return [];
  }
}

async function startedBy(fs: SessionFs, path: string, report: Report): Promise<string | undefined> {
  try {
    const meta: unknown = JSON.parse(Buffer.from(await fs.read(path)).toString("utf8"));
    return isObject(meta) ? asString(meta.toolUseId) : undefined;
  } catch (error) {
    if (!isErrno(error, "ENOENT"))
      report({ code: "sidecar-unreadable", path, message: `a sub-agent's description: ${reasonOf(error)}` });
    return undefined;
  }
}
