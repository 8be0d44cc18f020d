/** Imports a session: its files unchanged, except for a new id, name or folder, and for states of other people's files. */
import { basename, dirname, join } from "node:path";
import { AppError } from "../../../../model/errors.ts";
import { type Draft, type Planned, type Step, sizeOfPieces } from "../../../../model/plan.ts";
import { relocate } from "../../../../model/values/relocate.ts";
import { realPath } from "../../../../platform/fs/fs-links.ts";
import type { Line } from "../../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asString, type JsonObject } from "../../../log/jsonl.ts";
import type { MemberTexts } from "../../../log/pieces.ts";
import type { IncomingFile, TakeRequest } from "../../../requests.ts";
import { fileHistory, folderName, isSessionId, projectsFolder, sessionFolder } from "../../locate.ts";
import { SOURCE } from "../../scan.ts";
import { changeLog, endsLine, outputFolder, workspaceOf } from "./incoming-log.ts";
import { hasForeignStates } from "./incoming-states.ts";
import { titleLine } from "./notes.ts";
import { createOutputMover } from "./output-paths.ts";
import { PRIVATE } from "./place.ts";
import { withProjectFolder } from "./project-folder.ts";

export async function take(
  fs: SessionFs,
  files: readonly IncomingFile[],
  request: TakeRequest,
): Promise<Draft> {
  const id = request.newId ?? request.id;
  const transcript = files.find(({ path }) => isTranscript(path, request.id));
  if (!transcript) throw noTranscript(request.id);
  if (!isSessionId(id)) throw noId(request.id);
  const from = dirname(transcript.path);
  const former = await workspaceOf(fs, transcript);
  const workspace = request.workspace === undefined ? undefined : await realPath(fs, request.workspace);
  const project = projectFor(request, basename(from), workspace);
  const to = join(project, `${id}.jsonl`);
  await refuseTwin(fs, request.root, id, to);

  const own = `${from}/${request.id}`;
  const isBare = (path: string): boolean => request.name !== undefined && path === `${own}/custom-title.json`;
  const places = new Map<IncomingFile, string>();
  for (const file of files) {
    const place = placeOf(file.path, { from, own, id: request.id }, { root: request.root, to, project, id });
    if (place !== undefined && !isBare(file.path)) places.set(file, place);
  }
  const change = await createChange(fs, files, places, request, { transcript, to, former, workspace, own });
  const planned: Planned[] = [];
  let dropped = 0;
  for (const [file, place] of places) {
    const changed = await change(file);
    dropped += changed.dropped;
    planned.push(toPlanned(changed.file, place));
  }
  const taken = [...places.keys()];
  const left = files.filter((file) => !taken.includes(file) && !isBare(file.path));
  return {
    session: { source: SOURCE, id, path: to },
    basis: [],
    steps: await withProjectFolder(
      fs,
      toSteps(planned, request.now, [to, sessionFolder(to), fileHistory(request.root, id)]),
      project,
      request.now,
    ),
    ...(request.name !== undefined && { name: request.name }),
    losses: [
      ...left.map(({ path }) => `${path}, which is no part of a session`),
      ...(dropped > 0
        ? [
            `${dropped} recorded states of files outside the folder of the session; a rewind leaves those files alone`,
          ]
        : []),
    ],
  };
}

const isTranscript = (path: string, id: string): boolean => {
  const parts = path.split("/");
  return parts.length === 3 && parts[0] === "projects" && parts[2] === `${id}.jsonl`;
};

/** Where the program looks for the sessions of the folder; what was part of a session here goes beside that. */
function projectFor({ root, beside }: TakeRequest, folder: string, workspace: string | undefined): string {
  if (workspace !== undefined) return join(projectsFolder(root), folderName(workspace));
  return beside === undefined ? join(projectsFolder(root), folder) : dirname(beside);
}

interface Origin {
  /** The folder of the project, and the session's own, as they are called in what comes. */
  readonly from: string;
  readonly own: string;
  readonly id: string;
}

function placeOf(
  path: string,
  origin: Origin,
  here: { readonly root: string; readonly to: string; readonly project: string; readonly id: string },
): string | undefined {
  const below = (folder: string): string[] | undefined =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split("/") : undefined;
  if (path === `${origin.own}.jsonl`) return here.to;
  const inOwn = below(origin.own);
  if (inOwn) return join(sessionFolder(here.to), ...inOwn);
  const state = below(`file-history/${origin.id}`);
  if (state) return join(fileHistory(here.root, here.id), ...state);
  const beside = below(origin.from);
  return beside?.length === 1 && /^agent-.+\.jsonl$/.test(path.slice(origin.from.length + 1))
    ? join(here.project, ...beside)
    : undefined;
}

interface Around {
  readonly transcript: IncomingFile;
  readonly to: string;
  readonly former: string | undefined;
  readonly workspace: string | undefined;
  readonly own: string;
}

type Changed = { readonly file: IncomingFile; readonly dropped: number };

/** Of a log, the session's id and folder in its rows; all other files come as they are. */
async function createChange(
  fs: SessionFs,
  files: readonly IncomingFile[],
  places: ReadonlyMap<IncomingFile, string>,
  request: TakeRequest,
  { transcript, to, former, workspace, own }: Around,
): Promise<(file: IncomingFile) => Promise<Changed>> {
  const relocation =
    workspace !== undefined && former !== undefined && workspace !== former
      ? { from: former, to: workspace }
      : undefined;
  const outputs = files.filter(({ path }) => path.startsWith(`${own}/tool-results/`));
  const folder = outputs.length === 0 ? undefined : await outputFolder(fs, transcript, request.id);
  const toOwnOutputs = createOutputMover({
    ...{ from: folder ?? "", to: sessionFolder(to) },
    names: new Set(folder === undefined ? [] : outputs.map(({ path }) => basename(path))),
  });
  const membersOf = (record: JsonObject, line: Line): MemberTexts => {
    const cwd = relocation && relocate(asString(record.cwd) ?? "", relocation);
    return {
      ...(request.newId !== undefined &&
        record.sessionId !== undefined && { sessionId: JSON.stringify(request.newId) }),
      ...(cwd !== undefined && { cwd: JSON.stringify(cwd) }),
      ...toOwnOutputs(line, {}),
    };
  };
  return async (file) => {
    if (!places.get(file)?.endsWith(".jsonl")) return { file, dropped: 0 };
    const isOwn = file === transcript;
    // What was part of a session here is as we kept it.
    const isForeign = (record: JsonObject): boolean =>
      isOwn &&
      request.beside === undefined &&
      hasForeignStates(record, { folder: former, userHome: request.userHome });
    const { pieces, dropped, isSame } = await changeLog(fs, file, { membersOf, isForeign });
    const title =
      isOwn && request.name !== undefined ? titleLine(request.newId ?? request.id, request.name) : "";
    if (isSame && title === "") return { file, dropped };
    const { sha256: _, ...rest } = file;
    const gap = title === "" || (await endsLine(fs, file)) ? "" : "\n";
    const all = title === "" ? pieces : [...pieces, { text: gap + title }];
    return { file: { ...rest, pieces: all, size: sizeOfPieces(all) }, dropped };
  };
}

/** The id must be nowhere else: the program would take the one that lies in the folder it is started in. */
async function refuseTwin(fs: SessionFs, root: string, id: string, to: string): Promise<void> {
  const projects = projectsFolder(root);
  if (!(await fs.exists(projects))) return;
  for (const { name, kind } of await fs.readdir(projects)) {
    const path = join(projects, name, `${id}.jsonl`);
    if (kind !== "folder" || path === to || !(await fs.exists(path))) continue;
    throw new AppError(
      "session-exists",
      `Session ${id} is already here, as ${path}`,
      "Import it as a new session with --new-id",
    );
  }
}

/** Nobody else reads or writes what a session says. */
const toPlanned = ({ path: _, mode, ...file }: IncomingFile, path: string): Planned => ({
  ...{ kind: "file", path, ...file, mode: (mode & 0o700) | PRIVATE.file },
});

/** A step for the transcript and for each folder that is the session's alone; logs of sub-agents beside it have their own. */
function toSteps(files: readonly Planned[], now: Date, own: readonly string[]): Step[] {
  const steps = new Map<string, Planned[]>();
  for (const file of files) {
    const folder = own.find((each) => file.path.startsWith(join(each, "/")));
    const entries = steps.get(folder ?? file.path) ?? [];
    if (folder !== undefined)
      for (const path of foldersUpTo(folder, file.path))
        if (!entries.some((entry) => entry.path === path))
          entries.push({ kind: "folder", path, mode: PRIVATE.folder, mtimeMs: now.getTime() });
    entries.push(file);
    steps.set(folder ?? file.path, entries);
  }
  // What the rows name is there before they are.
  const [transcript = "", ...folders] = own;
  const order = [...folders, ...[...steps.keys()].filter((path) => !own.includes(path)), transcript];
  return order.flatMap((path) => {
    const entries = steps.get(path);
    return entries ? [{ does: "place" as const, path, entries }] : [];
  });
}

/** The folders that a file lies in, from that one on. */
function foldersUpTo(folder: string, file: string): string[] {
  const parent = dirname(file);
  return parent === folder ? [folder] : [...foldersUpTo(folder, parent), parent];
}

const noTranscript = (id: string): AppError =>
  new AppError(
    "not-supported",
    `Session ${id} has no transcript, and Claude Code cannot use it without one`,
    {
      say: "Create the bundle again where the session is",
      remedy: { action: "export", args: { format: "bundle" }, asks: { session: "session" } },
    },
  );

const noId = (id: string): AppError =>
  new AppError(
    "not-supported",
    `${id} is no UUID, and Claude Code resumes no other sessions`,
    "Give it a new id: --new-id",
  );
