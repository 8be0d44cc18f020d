/** Imports a session into a workspace, in the format that its VS Code writes, and lists it. */
import { basename } from "node:path";
import { AppError } from "../../../../model/errors.ts";
import { type Draft, type Piece, type Planned, sizeOfPieces } from "../../../../model/plan.ts";
import { toCommand } from "../../../../model/remedy.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import { createMemoryFs } from "../../../../platform/fs/memory.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { isObject } from "../../../log/jsonl.ts";
import type { IncomingFile, TakeRequest } from "../../../requests.ts";
import { parse } from "../../format/json-outline.ts";
import { SOURCE } from "../../format/problems.ts";
import { placeIn } from "../../index-db/workspace.ts";
import { type Form, fileFor, formFor, toText } from "../copy/form.ts";
import { toIdentity } from "../copy/identity.ts";
import { inspectSession } from "../copy/inspect.ts";
import { checkId, type Home, homeOf } from "../copy/session-home.ts";
import { findTarget } from "../copy/target.ts";
import { factsOf } from "../list/entry-facts.ts";
import { insertSession } from "../list/insert-session.ts";
import { toEntry } from "../list/list.ts";
import { fileModeIn } from "../list/neighbours.ts";
import { amendState, readState } from "../patch/state.ts";
import { RECEIVED } from "./read.ts";

const WORKSPACE_FILE = "workspace.json";

export async function take(
  fs: SessionFs,
  files: readonly IncomingFile[],
  request: TakeRequest,
): Promise<Draft> {
  const { root, newId, name, now } = request;
  const id = checkId(newId ?? request.id);
  const incoming = files.find(({ path }) => isSessionFile(path, request.id));
  if (!incoming) throw noSession(request.id);
  // Held, as it lies in a file of ours whose name tells nothing of its form.
  const path = `/${basename(incoming.path)}`;
  const held = createMemoryFs({ [path]: await bytesOf(fs, incoming.pieces) });
  const artifact: Artifact = {
    source: SOURCE,
    id,
    root,
    path,
    fingerprint: { size: incoming.size, mtimeMs: incoming.mtimeMs, ino: 0 },
  };
  const { beside } = request;
  const inspected = await inspectSession(held, artifact).catch((error: unknown) => {
    if (beside === undefined || !(error instanceof AppError)) throw error;
    return undefined;
  });
  if (!inspected) return takeDamaged(fs, incoming, id, homeOf({ root, path: beside ?? "" }), now);
  const isBeside = beside !== undefined && (await fs.exists(homeOf({ root, path: beside }).database));
  const target = await findTarget(
    fs,
    { root, path: isBeside ? beside : "" },
    request.workspace ?? (isBeside ? undefined : await placeOf(fs, files)),
  );
  const { sessions } = target.home;
  const form = await formFor(fs, sessions, inspected);
  await refuseTwin(fs, sessions, id, form);

  const title = name ?? inspected.title;
  const isItself = newId === undefined && name === undefined && inspected.isLog === (form === "jsonl");
  const pieces = isItself
    ? incoming.pieces
    : [
        {
          text: toText(
            amendState(await readState(held, path), toIdentity(inspected, inspected.turns, { id, title })),
            form,
          ),
        },
      ];
  const file: Planned = {
    kind: "file",
    path: fileFor(sessions, id, form),
    mode: await fileModeIn(fs, sessions),
    mtimeMs: Math.floor(incoming.mtimeMs),
    size: sizeOfPieces(pieces),
    pieces,
    ...(isItself && incoming.sha256 !== undefined && { sha256: incoming.sha256 }),
  };
  const listed = toEntry({ ...factsOf(inspected, inspected.turns, now), id, title, now }, undefined);
  const { steps, losses } = await insertSession(fs, target, { file, listed }, now);
  return {
    session: { source: SOURCE, id, path: file.path },
    basis: [],
    steps,
    ...(name !== undefined && { name }),
    losses: [...leftOut(files), ...losses],
  };
}

/** What we kept of a damaged chat comes back as it is; listed, it would be emptied or deleted by VS Code. */
async function takeDamaged(
  fs: SessionFs,
  { path, sha256: _, ...incoming }: IncomingFile,
  id: string,
  { sessions }: Home,
  now: Date,
): Promise<Draft> {
  const name = fileFor(sessions, id, path.endsWith(".jsonl") ? "jsonl" : "json");
  const inspected = { mode: await fileModeIn(fs, sessions), mtimeMs: now.getTime() };
  return {
    session: { source: SOURCE, id, path: name },
    basis: [],
    steps: [
      { does: "place", path: name, entries: [{ kind: "file", path: name, ...incoming, ...inspected }] },
    ],
    losses: [
      `its entry in VS Code's list, because it is damaged; repair it: ${toCommand({ action: "rescue", session: `${SOURCE}:${id}` })}`,
    ],
  };
}

const isSessionFile = (path: string, id: string): boolean =>
  path === RECEIVED ||
  [`chatSessions/${id}.jsonl`, `chatSessions/${id}.json`, `emptyWindowChatSessions/${id}.jsonl`].some(
    (end) => path === end || path.endsWith(`/${end}`),
  );

/** The folder that it was about, should there be one here at the same place. */
async function placeOf(fs: SessionFs, files: readonly IncomingFile[]): Promise<string> {
  const file = files.find(({ path }) => basename(path) === WORKSPACE_FILE);
  const value = file && parse(await bytesOf(fs, file.pieces));
  const place = isObject(value) ? placeIn(value) : undefined;
  if (place?.isLocal && (await fs.exists(place.name))) return place.name;
  throw new AppError(
    "usage",
    place
      ? `The folder of the chat, ${place.name}, does not exist here`
      : "The chat does not record its folder",
    "Name its folder: --to <folder or workspace id>",
  );
}

/** VS Code reads only one of the two forms, and it would be the wrong one. */
async function refuseTwin(fs: SessionFs, sessions: string, id: string, form: Form): Promise<void> {
  const twin = fileFor(sessions, id, form === "json" ? "jsonl" : "json");
  if (!(await fs.exists(twin))) return;
  throw new AppError(
    "session-exists",
    `Session ${id} is already here, as ${twin}`,
    "Import it as a new session with --new-id",
  );
}

const leftOut = (files: readonly IncomingFile[]): string[] =>
  files.some(({ path }) => path.includes("chatEditingSessions/"))
    ? ["the states for undoing edits in VS Code, which belong to the files there"]
    : [];

async function bytesOf(fs: SessionFs, pieces: readonly Piece[]): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for (const piece of pieces) {
    if ("text" in piece) parts.push(Buffer.from(piece.text));
    if ("file" in piece) parts.push(await fs.read(piece.file, piece));
  }
  return Buffer.concat(parts);
}

const noSession = (id: string): AppError =>
  new AppError("not-supported", `Session ${id} has no session file, and VS Code cannot use it without one`, {
    say: "Create the bundle again where the session is",
    remedy: { action: "export", args: { format: "bundle" }, asks: { session: "session" } },
  });
