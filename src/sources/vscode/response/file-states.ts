/** The states of files that VS Code keeps with a chat, to undo its edits to. */
import { dirname, join } from "node:path";
import type { Sidecar } from "../../../model/session/session.ts";
import { MAX_LINE } from "../../../platform/fs/lines.ts";
import type { SessionFs } from "../../../platform/fs/session-fs.ts";
import { asArray, asObject, asString, isObject } from "../../log/jsonl.ts";
import { createLoad } from "../format/load.ts";
import { toPath } from "../format/uri.ts";

/** What the user made of an edit, by VS Code's numbers. */
const DECIDED = ["undecided", "kept", "undone"];

/** One for each file and state; of contents that nothing names, the name of the content. Never throws: the reader of edits reports what is wrong. */
export async function readFileStates(fs: SessionFs, path: string): Promise<Sidecar[]> {
  try {
    return await read(fs, path);
  } catch {
    return [];
  }
}

async function read(fs: SessionFs, path: string): Promise<Sidecar[]> {
  if (!(await fs.exists(path))) return [];
  const place = { start: 0, end: (await fs.stat(path)).size };
  const { value: state } = await createLoad(fs, path, MAX_LINE)({ ...place, at: [] });
  if (!isObject(state)) return [];
  const folder = join(dirname(path), "contents");
  const sizes = await sizesIn(fs, folder);
  const found: Sidecar[] = [];
  const put = (uri: unknown, hash: unknown, detail: string, record?: string): void => {
    const [name, content] = [toPath(uri), asString(hash)];
    if (content === undefined || !sizes.has(content)) return;
    found.push({
      kind: "file-state",
      name: name ?? content,
      path: join(folder, content),
      bytes: sizes.get(content) ?? 0,
      ...(detail !== "" && { detail }),
      ...(record !== undefined && { record }),
    });
  };
  for (const pair of asArray(state.initialFileContents)) {
    const [uri, hash] = asArray(pair);
    put(uri, hash, "before the chat");
  }
  for (const entry of asArray(asObject(state.recentSnapshot)?.entries).filter(isObject)) {
    const record = asString(asObject(entry.telemetryInfo)?.requestId);
    const decided = typeof entry.state === "number" ? DECIDED[entry.state] : undefined;
    put(entry.resource, entry.originalHash, "before the edits", record);
    if (entry.currentHash !== entry.originalHash)
      put(
        entry.resource,
        entry.currentHash,
        decided ? `after the edits, ${decided}` : "after the edits",
        record,
      );
  }
  const named = new Set(found.map((each) => each.path));
  for (const content of sizes.keys()) if (!named.has(join(folder, content))) put(undefined, content, "");
  return found;
}

async function sizesIn(fs: SessionFs, folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const { name, kind } of (await fs.exists(folder)) ? await fs.readdir(folder) : [])
    if (kind === "file") sizes.set(name, (await fs.stat(join(folder, name))).size);
  return sizes;
}
