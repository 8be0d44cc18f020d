/** Composes a session that VS Code accepts, and the entry in its list of sessions, from a story. */
import type { FileImage } from "../../../model/image.ts";
import type { Story } from "../../../model/session/story.ts";
import { isObject, type JsonObject } from "../../log/jsonl.ts";
import { idOfFolder } from "../edit/copy/target.ts";
import { INDEX_KEY, TABLE } from "../index-db/state-db.ts";
import { uriOf } from "./compose-tools.ts";
import { composeTurn, endOf } from "./compose-turn.ts";

/** A folder that is gone has an id that no folder at that path will ever have. */
export function compose(story: Story, identity = ""): FileImage[] {
  const store = `workspaceStorage/${idOfFolder(story.workspace, identity)}`;
  const times = story.turns.map((turn) => endOf(turn));
  const created = Date.parse(story.createdAt);
  const last = times.at(-1) ?? created;
  const mtime = new Date(last).toISOString();
  const session = {
    version: 3,
    sessionId: story.id,
    creationDate: created,
    initialLocation: "panel",
    responderUsername: "GitHub Copilot",
    customTitle: story.title,
    ...(story.repository !== undefined && { repoData: toRepoData(story) }),
    requests: story.turns.map((turn, index) => composeTurn(story, turn, index)),
  };
  const entry = {
    sessionId: story.id,
    title: story.title,
    lastMessageDate: last,
    timing: {
      created,
      lastRequestStarted: Date.parse(story.turns.at(-1)?.at ?? story.createdAt),
      lastRequestEnded: last,
    },
    initialLocation: "panel",
    hasPendingEdits: false,
    isEmpty: story.turns.length === 0,
    isExternal: false,
    lastResponseState: 1,
  };
  const index = { version: 1, entries: { [story.id]: entry } };
  // The session first, the list of sessions last: a crash leaves something unlisted, never something broken.
  return [
    {
      path: `${store}/workspace.json`,
      content: `${JSON.stringify({ folder: fileUri(story.workspace) })}\n`,
      mtime,
    },
    {
      path: `${store}/chatSessions/${story.id}.jsonl`,
      content: `${JSON.stringify({ kind: 0, v: session })}\n`,
      mtime,
    },
    {
      path: `${store}/state.vscdb`,
      content: { table: TABLE, rows: { [INDEX_KEY]: JSON.stringify(index) } },
      mtime,
    },
  ];
}

/** One database for all sessions of a workspace: their entries go into one list. */
export function merge(images: readonly FileImage[]): FileImage[] {
  const merged = new Map<string, FileImage>();
  for (const image of images) {
    const before = merged.get(image.path);
    merged.set(image.path, before ? mergeTwo(before, image) : image);
  }
  // Lists after sessions, whatever order the stories came in.
  const isList = (image: FileImage): boolean => typeof image.content === "object" && "rows" in image.content;
  return [...merged.values()].sort((a, b) => Number(isList(a)) - Number(isList(b)));
}

function mergeTwo(a: FileImage, b: FileImage): FileImage {
  if (typeof a.content !== "object" || typeof b.content !== "object") return a;
  if (!("rows" in a.content) || !("rows" in b.content)) return a;
  const [one, two] = [a.content.rows[INDEX_KEY], b.content.rows[INDEX_KEY]].map((text) => entriesOf(text));
  const index = JSON.stringify({ version: 1, entries: { ...one, ...two } });
  const rows = { ...a.content.rows, ...b.content.rows, [INDEX_KEY]: index };
  const mtime = [a.mtime, b.mtime]
    .filter((time) => time !== undefined)
    .sort()
    .at(-1);
  return { ...a, content: { table: TABLE, rows }, ...(mtime !== undefined && { mtime }) };
}

function entriesOf(text: string | undefined): JsonObject {
  const index: unknown = JSON.parse(text ?? "{}");
  return isObject(index) && isObject(index.entries) ? index.entries : {};
}

const toRepoData = (story: Story): JsonObject => ({
  workspaceType: "remote-git",
  syncStatus: "synced",
  remoteUrl: `https://github.com/${story.repository}.git`,
  remoteVendor: "github",
  ...(story.branch !== undefined && { localBranch: story.branch }),
  diffsStatus: "noChanges",
});

const fileUri = (path: string): string => uriOf(path).external;
