/** Repairs chats where they are, one of them or all below a root, with VS Code's lists of them. */
import type { Draft, Repair } from "../../../model/plan.ts";
import type { Artifact } from "../../../model/session.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import type { RescueAllDraft, RescueAllRequest } from "../../source.ts";
import { SOURCE } from "../problems.ts";
import { findStores } from "../stores.ts";
import { homeOf } from "./home.ts";
import { rescueStore } from "./rescue-store.ts";

export async function rescue(
  fs: SessionFs,
  artifact: Artifact,
  { now }: { readonly now: Date },
): Promise<Draft> {
  const { folder, sessions, database } = homeOf(artifact);
  const store = { sessions: [sessions], database, ...(folder !== undefined && { folder }) };
  const { sessions: changed, ...rest } = await rescueStore(fs, store, { now, only: artifact.id });
  const [session = { source: SOURCE, id: artifact.id, path: artifact.path }] = changed;
  return { session, ...rest, losses: withLost(rest) };
}

export async function rescueAll(
  fs: SessionFs,
  root: string,
  request: RescueAllRequest,
): Promise<RescueAllDraft> {
  const parts = [];
  // A folder that cannot be listed is told by the scan.
  for (const store of await findStores(fs, root, () => undefined))
    parts.push(await rescueStore(fs, store, request));
  return {
    sessions: parts.flatMap(({ sessions }) => sessions),
    basis: parts.flatMap(({ basis }) => basis),
    steps: parts.flatMap(({ steps }) => steps),
    repairs: parts.flatMap(({ repairs }) => repairs),
    losses: parts.flatMap(withLost),
  };
}

const withLost = ({
  losses,
  repairs,
}: {
  readonly losses: readonly string[];
  readonly repairs: readonly Repair[];
}): string[] => [
  ...repairs.flatMap(({ isLost, path, title, line, what }) =>
    isLost ? [`${title ?? path}${line === undefined ? "" : `, line ${line}`}: ${what}`] : [],
  ),
  ...losses,
];
