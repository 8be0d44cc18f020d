/** Finds the strings of a record that are paths, and rewrites them when their folder has moved. */
import { type Relocation, relocateAny } from "../../../../model/values/relocate.ts";
import { eachString } from "../../../../platform/json/strings.ts";
import { isPathName } from "../../../log/path-members.ts";

/** Names of paths that end in other words. */
const PATH_NAMES = new Set(["fileName", "file_name", "filesModified", "locationKey"]);

/** What tools gave back and what was measured are no fields of ours to change; checkpoints stay where they are. */
const LEFT_ALONE = new Set(["result", "error", "toolTelemetry", "checkpointPath"]);

/** The headers of a patch, as the model writes it. */
const PATCH_HEADER = /^(\*\*\* (?:(?:Add|Update|Delete) File|Move to): )(.+)$/gm;

/** What the program noted of an attached file, word for word: "* /src/a.ts (12 lines)". */
const TAGGED_ENTRY = /^(\* )(.*?)( \([^()]*\))?$/;

/** Copies of whole requests, which say what was sent then. */
export const isCopyOfRequest = (type: string): boolean => type.startsWith("model.");

/** The new value of a string; nothing when it is no path, or leads elsewhere. */
export function movePath(path: readonly string[], value: string, relocation: Relocation): string | undefined {
  if (path[0] !== "data" || path.some((name) => LEFT_ALONE.has(name))) return undefined;
  const name = path.at(-1) ?? "";
  if (PATH_NAMES.has(name) || isPathName(name)) return relocateAny(value, relocation);
  if (name === "taggedFilesEntry") return moveTagged(value, relocation);
  if (!path.includes("arguments")) return undefined;
  return name === "arguments" && /^\s*\{/.test(value)
    ? moveInside(value, relocation)
    : movePatch(value, relocation);
}

function moveTagged(entry: string, relocation: Relocation): string | undefined {
  const [, start = "", place = "", end = ""] = TAGGED_ENTRY.exec(entry) ?? [];
  const moved = relocateAny(place, relocation);
  return moved === undefined ? undefined : start + moved + end;
}

function movePatch(text: string, relocation: Relocation): string | undefined {
  const moved = text.replace(PATCH_HEADER, (line, header: string, place: string) => {
    const there = relocateAny(place.trimEnd(), relocation);
    return there === undefined ? line : header + there;
  });
  return moved === text ? undefined : moved;
}

/** Arguments may be the JSON of an object instead of one. */
function moveInside(text: string, relocation: Relocation): string | undefined {
  const json = Buffer.from(text);
  if (!isJson(text)) return undefined;
  const parts: Buffer[] = [];
  let at = 0;
  eachString(json, ({ path, start, end }) => {
    const value = JSON.parse(json.toString("utf8", start, end)) as string;
    const moved = movePath(["data", "arguments", ...path], value, relocation);
    if (moved === undefined) return;
    parts.push(json.subarray(at, start), Buffer.from(JSON.stringify(moved)));
    at = end;
  });
  return at === 0 ? undefined : Buffer.concat([...parts, json.subarray(at)]).toString("utf8");
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // text that only looks like it
  }
}
