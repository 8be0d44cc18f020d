/** Imports a session: its files unchanged, except for a new id, name or folder. */
import { AppError } from "../../../../model/errors.ts";
import { type Draft, type Piece, type Planned, sizeOfPieces } from "../../../../model/plan.ts";
import { newerThanKnown } from "../../../../model/session/newer.ts";
import { eachLine } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { changeMembers } from "../../../../platform/json/members.ts";
import { asObject, asString, decodeLine } from "../../../log/jsonl.ts";
import type { IncomingFile, TakeRequest } from "../../../requests.ts";
import { isNewerStart } from "../../log/records.ts";
import { LOG, SOURCE, under } from "../../workspace/locate.ts";
import { WORKSPACE_FILE } from "../../workspace/workspace.ts";
import { moveSnapshots } from "../move/snapshots.ts";
import { SNAPSHOT_INDEX } from "../rewind-files/snapshots.ts";
import { KEPT_FILES, newFolder, PRIVATE } from "./folder.ts";
import { type CheckedSnapshots, checkSnapshots } from "./import-snapshots.ts";
import { type NotedFolder, noteFolder } from "./noted-folder.ts";
import { changeFields, readFields } from "./workspace-text.ts";

export async function take(
  fs: SessionFs,
  files: readonly IncomingFile[],
  request: TakeRequest,
): Promise<Draft> {
  if (!files.some(({ path }) => path === LOG))
    throw new AppError(
      "not-supported",
      `Session ${request.id} has no ${LOG}, and Copilot CLI cannot use it without one`,
      {
        say: "Create the bundle again where the session is",
        remedy: { action: "export", args: { format: "bundle" }, asks: { session: "session" } },
      },
    );
  const id = request.newId ?? request.id;
  const to = newFolder(request.root, id);
  const place = request.workspace === undefined ? undefined : await noteFolder(fs, request.workspace);
  // What was part of a session here is as we kept it.
  const checked =
    request.beside === undefined ? await checkStates(fs, files, request) : { files, losses: [] };
  const changed = await Promise.all(checked.files.map((file) => changeFile(fs, file, request, place)));
  const entries = [...foldersOf(changed, to, request.now), ...changed.map((file) => toPlanned(file, to))];
  return {
    session: { source: SOURCE, id, path: under(to, LOG) },
    basis: [],
    steps: [{ does: "place", path: to, entries }],
    ...(request.name !== undefined && { name: request.name }),
    losses: checked.losses,
  };
}

/** By the folders that the session says it was about. */
async function checkStates(
  fs: SessionFs,
  files: readonly IncomingFile[],
  { root, id, userHome }: TakeRequest,
): Promise<CheckedSnapshots> {
  const read = async (name: string): Promise<string | undefined> => {
    const file = files.find(({ path }) => path === name);
    return file && textOf(fs, file.pieces);
  };
  const text = (await read(WORKSPACE_FILE)) ?? "";
  const { cwd, git_root } = readFields(text);
  const folders = [cwd, git_root]
    .flatMap((each) => asString(each) ?? [])
    .filter((each) => !each.includes("\0"));
  return checkSnapshots(fs, files, {
    folders: [...folders, ...KEPT_FILES.map((name) => under(newFolder(root, id), name))],
    userHome,
    read,
  });
}

/** Its folder lets nobody else in, so modes stay as they were; but nobody else ever writes here. */
const toPlanned = ({ path, mode, ...file }: IncomingFile, to: string): Planned => ({
  kind: "file",
  path: under(to, path),
  ...file,
  mode: (mode & 0o755) | PRIVATE.file,
});

/** The session's own, and those that its files lie in, outermost first. */
function foldersOf(files: readonly IncomingFile[], to: string, now: Date): Planned[] {
  const names = new Set<string>();
  for (const { path } of files)
    for (let cut = path.indexOf("/"); cut > 0; cut = path.indexOf("/", cut + 1))
      names.add(path.slice(0, cut));
  return ["", ...[...names].sort()].map((name) => ({
    kind: "folder",
    path: name === "" ? to : under(to, name),
    mode: PRIVATE.folder,
    mtimeMs: now.getTime(),
  }));
}

async function changeFile(
  fs: SessionFs,
  file: IncomingFile,
  request: TakeRequest,
  place: NotedFolder | undefined,
): Promise<IncomingFile> {
  const isMoved = request.newId !== undefined || place !== undefined;
  const pieces =
    file.path === LOG && isMoved
      ? await changeStart(fs, file, request, place)
      : file.path === WORKSPACE_FILE && (isMoved || request.name !== undefined)
        ? [{ text: toWorkspaceText(await textOf(fs, file.pieces), request, place) }]
        : file.path === SNAPSHOT_INDEX && request.newId !== undefined
          ? await ownStates(fs, file, request, request.newId)
          : undefined;
  if (!pieces) return file;
  const { sha256: _, ...rest } = file;
  return { ...rest, pieces, size: sizeOfPieces(pieces) };
}

/** States of what agents keep in the session's own folder lead to the folder that it gets here. */
async function ownStates(
  fs: SessionFs,
  file: IncomingFile,
  { root, id }: TakeRequest,
  newId: string,
): Promise<Piece[] | undefined> {
  const relocation = { from: newFolder(root, id), to: newFolder(root, newId) };
  const moved = moveSnapshots(await textOf(fs, file.pieces), relocation);
  return moved && [{ text: moved.text }];
}

/** When it began stays: it is the same session, taken elsewhere. */
async function changeStart(
  fs: SessionFs,
  { pieces }: IncomingFile,
  { id, newId, beside }: TakeRequest,
  place: NotedFolder | undefined,
): Promise<Piece[]> {
  const [log] = pieces;
  const start = log && "file" in log ? await findStart(fs, log) : undefined;
  // What we kept of a damaged session comes back as it is.
  if (!start && beside !== undefined) return [...pieces];
  if (!start || !log || !("file" in log))
    throw new AppError(
      "unreadable",
      `The log of session ${id} has no session.start, so it can only be imported unchanged`,
      {
        say: "Leave out --new-id and --to, then repair it",
        remedy: { action: "rescue", session: `copilot-cli:${id}` },
      },
    );
  if (start.isNewer) throw newerThanKnown(`Session ${id}`);
  const named =
    newId === undefined
      ? start.text
      : changeMembers(start.text, { sessionId: newId, remoteSteerable: undefined }, ["data"]);
  const text = place ? changeMembers(named, place.context, ["data", "context"]) : named;
  return [
    ...(start.start > log.start ? [{ ...log, end: start.start }] : []),
    { text },
    { ...log, start: start.end },
  ];
}

interface FoundStart {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isNewer: boolean;
}

async function findStart(
  fs: SessionFs,
  { file, start, end }: Extract<Piece, { file: string }>,
): Promise<FoundStart | undefined> {
  let found: FoundStart | undefined;
  await eachLine(
    fs,
    file,
    (line) => {
      if (found || line.cut > 0 || !line.bytes.includes('"session.start"')) return;
      const decoded = decodeLine(line);
      if (decoded.kind !== "record" || decoded.record.type !== "session.start") return;
      found = {
        text: line.bytes.toString("utf8"),
        start: line.end - line.bytes.length,
        end: line.end,
        isNewer: isNewerStart({ type: "session.start", data: asObject(decoded.record.data) ?? {} }),
      };
    },
    { start, end, pass: () => found !== undefined },
  );
  return found;
}

function toWorkspaceText(text: string, { newId, name }: TakeRequest, place: NotedFolder | undefined): string {
  // Under another id it is not what some remote side knows by these.
  const remote = Object.keys(newId === undefined ? {} : readFields(text)).filter((key) =>
    /^(mc_|remote_|chronicle_)/.test(key),
  );
  return changeFields(text, {
    ...Object.fromEntries(remote.map((key) => [key, undefined])),
    ...(newId !== undefined && { id: newId }),
    ...place?.fields,
    ...(name !== undefined && { name, user_named: true }),
  });
}

async function textOf(fs: SessionFs, pieces: readonly Piece[]): Promise<string> {
  const texts: string[] = [];
  for (const piece of pieces) {
    if ("text" in piece) texts.push(piece.text);
    if ("file" in piece) texts.push(Buffer.from(await fs.read(piece.file, piece)).toString("utf8"));
  }
  return texts.join("");
}
