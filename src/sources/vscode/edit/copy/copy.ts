/** Copies a session, all of it or its first turns, with a new entry in VS Code's list. */
import { dirname } from "node:path";
import type { Draft, Piece } from "../../../../model/plan.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { lookThrough } from "../../../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import type { JsonObject } from "../../../log/jsonl.ts";
import { SOURCE } from "../../format/problems.ts";
import { editingStateIn } from "../../index-db/stores.ts";
import { dateFor } from "../list/entry-date.ts";
import { factsOf } from "../list/entry-facts.ts";
import { insertSession, toFile } from "../list/insert-session.ts";
import { readList, toEntry } from "../list/list.ts";
import { fileModeIn } from "../list/neighbours.ts";
import { type Form, fileFor, formFor } from "./form.ts";
import { type InspectedTurn, type Inspection, noLongerThere } from "./inspect.ts";
import { homeOf } from "./session-home.ts";
import type { Target } from "./target.ts";

export interface CopyRequest {
  readonly id: string;
  readonly now: Date;
  readonly title: string;
  readonly target: Target;
  /** Those that are included. */
  readonly turns: readonly InspectedTurn[];
  readonly content: (form: Form) => Promise<Piece[]>;
  readonly unlisted?: boolean | undefined;
}

export async function copySession(
  fs: SessionFs,
  artifact: Artifact,
  inspected: Inspection,
  { id, now, title, target, turns, content, unlisted }: CopyRequest,
): Promise<Draft> {
  const entry = await lookThrough(fs, artifact.path);
  if (!entry) throw noLongerThere(artifact.path);
  const { sessions } = target.home;
  const form = await formFor(fs, sessions, inspected);
  const path = fileFor(sessions, id, form);
  const mode = await fileModeIn(fs, sessions, artifact.path);
  const file = toFile(path, await content(form), now, mode);
  if (unlisted) {
    const steps = [{ does: "place", path, entries: [file] } as const];
    return { session: { source: SOURCE, id, path }, basis: [{ entry }], steps, losses: [] };
  }
  const original = await originalEntry(fs, artifact);
  const facts = factsOf(inspected, turns, now);
  // Of a shorter copy the last message is another one.
  const said = turns.length < inspected.turns.length ? undefined : original;
  const listed = toEntry({ ...facts, id, title, now: await dateFor(fs, target, facts, said, now) }, original);
  const { steps, losses } = await insertSession(fs, target, { file, listed }, now);
  return {
    session: { source: SOURCE, id, path },
    basis: [{ entry }],
    steps,
    losses: [...(await leftBehind(fs, artifact, inspected)), ...losses],
  };
}

/** What VS Code notes of the original; an orphan has no entry, nor has one whose list is lost. */
async function originalEntry(fs: SessionFs, artifact: Artifact): Promise<JsonObject | undefined> {
  const { database } = homeOf(artifact);
  return artifact.listed?.state === "listed"
    ? (await readList(fs, database)).entries.get(artifact.id)
    : undefined;
}

async function leftBehind(fs: SessionFs, artifact: Artifact, { head }: Inspection): Promise<string[]> {
  const { folder } = homeOf(artifact);
  const hasEdits =
    folder !== undefined &&
    (await lookThrough(fs, dirname(editingStateIn(folder, artifact.id)))) !== undefined;
  return [
    ...(hasEdits ? ["the states for undoing edits in VS Code, which stay with the original"] : []),
    ...(Array.isArray(head.pendingRequests) && head.pendingRequests.length > 0
      ? ["prompts that are waiting to be sent"]
      : []),
  ];
}
