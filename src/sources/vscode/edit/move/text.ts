/** Finds references to a moved folder in JSON text: addresses of files, tool arguments, and prose. */

import { hasDrive } from "../../../../model/values/paths.ts";
import {
  createMentionFinder,
  type Relocation,
  relocate,
  relocateAny,
} from "../../../../model/values/relocate.ts";
import { eachString } from "../../../../platform/json/strings.ts";

/** A stretch of the text, and what stands there instead. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface MoveCounts {
  /** Paths in calls, which the model receives with the conversation. */
  toolCalls: number;
  attachments: number;
  /** Addresses and paths anywhere else. */
  others: number;
  /** How often other text names the folder. */
  mentions: number;
}

interface Found {
  readonly start: number;
  readonly end: number;
  readonly isAttached: boolean;
}

/** Members that hold a path by themselves. */
const PATH_FIELDS = /^(filePath|path|fsPath|cwd|dirPath|workingDirectory|uri|resource)$/;

/** Of a text that is valid JSON; bytes that are no text stay as they are. */
export function findMoves(
  json: Buffer,
  relocation: Relocation,
  withText: boolean,
  counts: MoveCounts,
): Edit[] {
  const edits: Edit[] = [];
  const findMentions = createMentionFinder({ from: inJson(relocation.from), to: inJson(relocation.to) });
  const rawOf = ({ start, end }: Found): string => json.toString("utf8", start, end);
  const textOf = (found: Found): string => JSON.parse(rawOf(found)) as string;

  const replace = (found: Found, moved: string | undefined): boolean => {
    if (moved === undefined || rawOf(found).includes("\ufffd")) return false;
    edits.push({ start: found.start, end: found.end, text: JSON.stringify(moved) });
    return true;
  };
  const moveText = (found: Found): void => {
    const raw = rawOf(found);
    if (raw.includes("\ufffd")) return;
    for (const mention of findMentions(raw)) {
      counts.mentions++;
      if (!withText) continue;
      const start = found.start + Buffer.byteLength(raw.slice(0, mention.start));
      const end = start + Buffer.byteLength(raw.slice(mention.start, mention.end));
      edits.push({ start, end, text: mention.text });
    }
  };
  /** An address has several spellings, which must stay consistent. */
  const moveUri = (members: ReadonlyMap<string, Found>, path: Found): void => {
    const moved = relocate(fromUriPath(textOf(path)), relocation);
    if (moved === undefined || !replace(path, toUriPath(moved))) return;
    counts[path.isAttached ? "attachments" : "others"]++;
    for (const name of ["fsPath", "external"]) {
      const spelling = members.get(name);
      if (spelling) replace(spelling, relocateAny(textOf(spelling), relocation));
    }
  };

  eachObject(json, (members) => {
    const [scheme, path, args] = ["scheme", "path", "arguments"].map((name) => members.get(name));
    if (scheme && path) {
      if (textOf(scheme) === "file") moveUri(members, path);
      return;
    }
    for (const [name, found] of members) {
      if (found === args && (members.has("name") || members.has("id"))) {
        const { text, paths } = moveArguments(textOf(found), relocation);
        counts.toolCalls += paths;
        if (paths > 0) replace(found, text);
        else moveText(found);
      } else if (PATH_FIELDS.test(name) && replace(found, relocateAny(textOf(found), relocation))) {
        counts.others++;
      } else moveText(found);
    }
  });
  return edits.sort((a, b) => a.start - b.start);
}

/** What a tool was called with is JSON inside of JSON; whole paths in it lead to the new place. */
function moveArguments(text: string, relocation: Relocation): { text: string; paths: number } {
  const bytes = Buffer.from(text);
  const edits: Edit[] = [];
  if (isJson(text))
    eachString(bytes, ({ start, end }) => {
      const moved = relocateAny(JSON.parse(bytes.toString("utf8", start, end)) as string, relocation);
      if (moved !== undefined) edits.push({ start, end, text: JSON.stringify(moved) });
    });
  return { text: applyEdits(bytes, edits), paths: edits.length };
}

export function applyEdits(bytes: Buffer, edits: readonly Edit[]): string {
  let at = 0;
  let text = "";
  for (const edit of edits) {
    text += bytes.toString("utf8", at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + bytes.toString("utf8", at);
}

/** The text members of each object together. Objects of one list that have none in common may come as one. */
function eachObject(json: Buffer, visit: (members: ReadonlyMap<string, Found>) => void): void {
  const open = new Map<string, Map<string, Found>>();
  eachString(json, ({ path, start, end }) => {
    const name = path.at(-1) ?? "";
    const parent = path.slice(0, -1).join("\0");
    let members = open.get(parent);
    if (members?.has(name)) {
      visit(members);
      members = undefined;
    }
    if (!members) {
      members = new Map();
      open.set(parent, members);
    }
    members.set(name, { start, end, isAttached: path.includes("variables") || path.includes("attachments") });
  });
  for (const members of open.values()) visit(members);
}

/** As it stands in an address: `c:\x` is `/c:/x` there. */
const toUriPath = (path: string): string => {
  const slashed = path.replaceAll("\\", "/");
  return slashed.startsWith("/") ? slashed : `/${slashed.replace(/^[A-Z]:/, (drive) => drive.toLowerCase())}`;
};

/** And back, as Windows ignores case in paths, and other systems do not. */
const fromUriPath = (path: string): string =>
  hasDrive(path.slice(1)) ? path.slice(1).replaceAll("/", "\\") : path;

/** Backslashes are found however often they are doubled. */
const inJson = (folder: string): string =>
  folder.includes("\\") ? folder : JSON.stringify(folder).slice(1, -1);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false; // as the model wrote it, which was no JSON
  }
}
