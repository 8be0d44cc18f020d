/** Which folder, workspace file or remote place a store belongs to. */
import { join } from "node:path";
import type { SessionFs } from "../../platform/session-fs.ts";
import { asString, isObject } from "../jsonl.ts";
import { parse } from "./json-outline.ts";
import { toPath } from "./uri.ts";

export interface Workspace {
  /** A path on this machine, or the URI of a place elsewhere. */
  readonly name: string;
  readonly isLocal: boolean;
}

/** Undefined when nothing tells: a window without a folder, or a file that is gone or unreadable. */
export async function readWorkspace(fs: SessionFs, folder: string): Promise<Workspace | undefined> {
  for (const file of ["workspace.json", "meta.json"]) {
    const value = await readJson(fs, join(folder, file));
    const workspace = isObject(value) ? toWorkspace(value) : undefined;
    if (workspace) return workspace;
  }
  return undefined;
}

/** `folder`, `workspace`, or as older versions called it, `configuration`; a URI as text or as an object. */
function toWorkspace(value: Record<string, unknown>): Workspace | undefined {
  const uri =
    value.folder ?? value.folderUri ?? value.workspace ?? value.configuration ?? value.uri ?? value.name;
  const text = asString(uri) ?? (isObject(uri) ? asString(uri.configPath) : undefined) ?? uri;
  const name = toPath(text);
  if (name === undefined || name === "") return undefined;
  return { name, isLocal: !/^[a-z][a-z0-9+.-]+:\/\//i.test(name) };
}

async function readJson(fs: SessionFs, path: string): Promise<unknown> {
  try {
    return parse(Buffer.from(await fs.read(path)));
  } catch {
    return undefined; // absent in most stores of one kind or the other; the session is readable without
  }
}
