/** A new session from an old one, all of it or its first turns, with its own place in VS Code's list. */
import { dirname, join } from "node:path";
import { type Draft, type Piece, type Planned, sizeOfPieces } from "../../../model/plan.ts";
import type { Artifact } from "../../../model/session.ts";
import { toKeyValueDb } from "../../../platform/key-value-db.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import { lookAt } from "../../../platform/tree.ts";
import { asNumber } from "../../jsonl.ts";
import { SOURCE } from "../problems.ts";
import { INDEX_KEY, TABLE } from "../state-db.ts";
import { DATABASE, editingStateIn } from "../stores.ts";
import { fileFor, formFor } from "./form.ts";
import { homeOf } from "./home.ts";
import { addEntry, readList, toEntry, toSet, warningAbout } from "./list.ts";
import type { Look, TurnLook } from "./look.ts";
import type { Target } from "./target.ts";

export interface CopyRequest {
  readonly id: string;
  readonly now: Date;
  readonly title: string;
  readonly target: Target;
  /** Those that come along. */
  readonly turns: readonly TurnLook[];
  readonly content: (form: ReturnType<typeof formFor>) => Promise<Piece[]>;
}

const PRIVATE = { folder: 0o700, file: 0o600 };

export async function copySession(
  fs: SessionFs,
  artifact: Artifact,
  look: Look,
  { id, now, title, target, turns, content }: CopyRequest,
): Promise<Draft> {
  const entry = lookAt(artifact.path);
  if (!entry) throw new Error(`${artifact.path} is gone`);
  const { sessions } = target.home;
  const form = formFor(sessions, look);
  const path = fileFor(sessions, id, form);
  const file = toFile(path, await content(form), now);
  const last = turns.at(-1);
  const original = await originalEntry(fs, artifact);
  const listed = toEntry(
    {
      id,
      title,
      now,
      created: asNumber(look.head.creationDate) ?? now.getTime(),
      started: last?.startedAt,
      ended: last?.endedAt,
      turns: turns.length,
      state: last?.state ?? 1,
    },
    original,
  );
  const list = target.unopened ? undefined : await readList(fs, target.home.database);
  return {
    session: { source: SOURCE, id, path },
    basis: [{ entry }],
    steps: list
      ? [{ does: "place", path, entries: [file] }, toSet(list, [addEntry(list, listed)], now)]
      : [makeReady(target, file, { version: 1, entries: { [id]: listed } }, now)],
    losses: [...leftBehind(artifact, look), ...(list ? warningAbout(list) : [])],
  };
}

/** A folder that VS Code has never opened gets all at once that it will look for when it does. */
function makeReady(
  { home, unopened }: Target,
  file: Planned,
  index: object,
  now: Date,
): Draft["steps"][number] {
  const folder = home.folder ?? "";
  const at = { mode: PRIVATE.folder, mtimeMs: now.getTime() };
  const database = Buffer.from(toKeyValueDb(TABLE, { [INDEX_KEY]: JSON.stringify(index) }));
  return {
    does: "place",
    path: folder,
    entries: [
      { kind: "folder", path: folder, ...at },
      { kind: "folder", path: home.sessions, ...at },
      file,
      toFile(join(folder, DATABASE), [{ base64: database.toString("base64") }], now),
      toFile(join(folder, "workspace.json"), [{ text: JSON.stringify(unopened, null, 2) }], now),
    ],
  };
}

const toFile = (path: string, pieces: Piece[], now: Date): Planned => ({
  kind: "file",
  path,
  mode: PRIVATE.file,
  mtimeMs: now.getTime(),
  size: sizeOfPieces(pieces),
  pieces,
});

/** What VS Code notes of the original; an orphan has no entry, nor has one whose list is lost. */
async function originalEntry(fs: SessionFs, artifact: Artifact): Promise<unknown> {
  const { database } = homeOf(artifact);
  return artifact.listed?.state === "listed"
    ? (await readList(fs, database)).entries.get(artifact.id)
    : undefined;
}

function leftBehind(artifact: Artifact, { head }: Look): string[] {
  const { folder } = homeOf(artifact);
  const hasEdits = folder !== undefined && lookAt(dirname(editingStateIn(folder, artifact.id))) !== undefined;
  return [
    ...(hasEdits
      ? ["the points to which VS Code can undo edits of files, which stay with the original"]
      : []),
    ...(Array.isArray(head.pendingRequests) && head.pendingRequests.length > 0
      ? ["prompts that wait to be sent"]
      : []),
  ];
}
