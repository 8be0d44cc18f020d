/** Finds the folder, workspace file or remote address that a storage folder belongs to. */
import { join } from "node:path";
import { isErrno, reasonOf, type SessionFs } from "../../../platform/fs/session-fs.ts";
import { asString, isObject, type JsonObject } from "../../log/jsonl.ts";
import { parse } from "../format/json-outline.ts";
import { toPath } from "../format/uri.ts";

export interface Workspace {
  /** A path on this machine, or the URI of a place elsewhere. */
  readonly name: string;
  readonly isLocal: boolean;
}

/** A workspace file that VS Code created when a second folder was added, until the user saves it. */
export const isUntitled = (name: string): boolean =>
  /[\\/]Workspaces[\\/][^\\/]+[\\/]workspace\.json$/.test(name);

/** Told by its name: a list of folders instead of a folder. */
export const isList = (name: string): boolean => name.endsWith(".code-workspace") || isUntitled(name);

/** Called for a file that exists but is empty. */
export type Unreadable = (path: string, reason: string) => void;

/** A path has no scheme; a drive's letter is none. */
const isUri = (text: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(text);

/** Undefined when nothing tells: a window without a folder, or a file that is gone or unreadable. */
export async function readWorkspace(
  fs: SessionFs,
  folder: string,
  unreadable: Unreadable,
): Promise<Workspace | undefined> {
  for (const [file, uriIn] of FILES) {
    const value = await readObject(fs, join(folder, file), unreadable);
    const place = value && workspaceAt(uriIn(value));
    if (place) return place;
  }
  return undefined;
}

/** What the text of a `workspace.json` says. */
export const placeIn = (value: JsonObject): Workspace | undefined => workspaceAt(uriOf(value));

function workspaceAt(uri: unknown): Workspace | undefined {
  const name = toPath(uri);
  return name ? { name, isLocal: !isUri(name) } : undefined;
}

/** Where the place is told; `meta.json` is written by the host of extensions, and all there is in code-server. */
const FILES: readonly [file: string, uriIn: (value: JsonObject) => unknown][] = [
  ["workspace.json", uriOf],
  // `name` is what the window is called, which only sometimes is a URI.
  [
    "meta.json",
    ({ configuration, name }) => [configuration, name].map(asString).find((text) => text && isUri(text)),
  ],
];

export const WORKSPACE_FILES: readonly string[] = FILES.map(([file]) => file);

/** `folder`, `workspace`, or as older versions called it, `configuration`; a URI as text or as an object. */
function uriOf(value: JsonObject): unknown {
  const uri = value.folder ?? value.folderUri ?? value.workspace ?? value.configuration ?? value.uri;
  return (isObject(uri) ? asString(uri.configPath) : undefined) ?? uri;
}

async function readObject(
  fs: SessionFs,
  path: string,
  unreadable: Unreadable,
): Promise<JsonObject | undefined> {
  try {
    const value = parse(Buffer.from(await fs.read(path)));
    if (isObject(value)) return value;
    unreadable(path, "it is not a JSON object");
  } catch (error) {
    // Most stores have one of the files but not the other.
    if (!isErrno(error, "ENOENT", "ENOTDIR")) unreadable(path, reasonOf(error));
  }
  return undefined;
}
