/** Conversations with Copilot CLI: the bridge, told what it must know of the program's sessions and how one is written. */
import { join, resolve } from "node:path";
import { type Bridge, createBridge } from "../bridge/bridge.ts";
import { openChats } from "../bridge/chat-files.ts";
import type { ChatRecord } from "../bridge/chat-record.ts";
import type { ContextMessage } from "../model/context.ts";
import { AppError } from "../model/errors.ts";
import type { SessionKey } from "../model/id.ts";
import type { Event, SourceId } from "../model/session.ts";
import { isSameFolder, realFolder } from "../platform/folders.ts";
import { createNewFile } from "../platform/new-file.ts";
import { removeFile } from "../platform/own-files.ts";
import { readHead } from "../query/heads.ts";
import type { Found } from "../query/resolve.ts";
import type { Catalog } from "../sources/catalog.ts";
import type { Transcript } from "../sources/source.ts";
import type { Config } from "./config.ts";
import type { EditApp } from "./edit-app.ts";

export interface ChatApp extends Pick<Bridge, "chats" | "send"> {
  /** A new one, about a folder. */
  begin(about: { readonly workspace?: string; readonly model?: string }): Promise<ChatRecord>;
  /** The one that goes by this name: one of ours, or one that is made for a session of the program. */
  open(name: string, about: { readonly workspace?: string }): Promise<ChatRecord>;
}

export interface ChatAppOptions {
  readonly catalog: Catalog;
  readonly config: Config;
  readonly dataFolder: string;
  /** The program, where it is not the one on the path. */
  readonly program?: string;
  readonly find: (name: string) => Promise<Found>;
  readonly edit: () => Promise<EditApp>;
}

export async function createChatApp(options: ChatAppOptions): Promise<ChatApp> {
  const { catalog, config, dataFolder } = options;
  const [placed] = await catalog.drivers();
  if (!placed) throw new Error("no source has a program that can be talked to");
  const { driver, root, source } = placed;
  const files = openChats(dataFolder);
  const artifactOf = async (id: string) =>
    (await catalog.scan([source])).artifacts.find((each) => each.id === id && each.vanishedAt === undefined);

  const bridge = createBridge({
    files,
    driver,
    ...(options.program !== undefined && { program: options.program }),
    dataFolder,
    folder: config.folder,
    vars: config.environment.vars,
    now: () => new Date(),
    holds: (id) => driver.holds(catalog.fs, root, id),
    async owner(id) {
      const artifact = await artifactOf(id);
      return artifact && (await catalog.owners([artifact])).get(artifact.path);
    },
    async prompts(id) {
      const artifact = await artifactOf(id);
      const said: string[] = [];
      if (!artifact) return said;
      const event = (each: Event): void => {
        if (each.kind === "prompt" && each.agent === undefined) said.push(each.text);
      };
      await catalog.read(artifact, { event, problem: () => undefined });
      return said;
    },
    restore: (chat) => restore(chat, options, source),
    known: () => driver.sessions(catalog.fs, root),
    capture: (justMade) => driver.capture(catalog.fs, root, { ...justMade, isSame: isSameFolder }),
    isFolder: async (path) => (await realFolder(path)) !== undefined,
  });

  const toFolder = async (path: string): Promise<string> => {
    const folder = await realFolder(resolve(config.folder, path));
    if (folder !== undefined) return folder;
    throw new AppError("usage", `${path} is not a folder`, "Name the folder that the work is about");
  };
  return {
    chats: files,
    send: bridge.send,
    begin: async ({ workspace = config.folder, model }) =>
      bridge.create({ workspace: await toFolder(workspace), ...(model !== undefined && { model }) }),
    async open(name, { workspace }) {
      const folder = workspace === undefined ? undefined : await toFolder(workspace);
      if (!files.has(name)) return adoptNamed(name, folder);
      const chat = files.load(name);
      if (folder === undefined) return chat;
      const moved = { ...chat, workspace: folder };
      files.save(moved);
      return moved;
    },
  };

  async function adoptNamed(name: string, folder: string | undefined): Promise<ChatRecord> {
    const { artifact } = await options.find(name);
    const { session } = await readHead(catalog, artifact);
    return adopt(artifact, folder ?? session.workspace);
  }

  function adopt({ source: of, id }: SessionKey, workspace: string | undefined): ChatRecord {
    if (of !== source)
      throw new AppError(
        "not-supported",
        `Rethread talks to ${driver.program} only, and this is a session of ${of}`,
        `Start its own program: rethread resume ${of}:${id.slice(0, 8)}`,
      );
    const mine = files.list().chats.find((chat) => chat.cliSession === id);
    if (mine) return files.load(mine.id);
    return bridge.create({ cliSession: id, ...(workspace !== undefined && { workspace }) });
  }
}

/** What is remembered, in the form that the program takes in; from there it goes the way of every import. */
async function restore(
  chat: ChatRecord,
  { catalog, dataFolder, edit: openEdit }: ChatAppOptions,
  source: SourceId,
): Promise<string> {
  const { interchange } = (await catalog.interchanges()).find((each) => each.source === source) ?? {};
  if (!interchange?.write) throw new Error(`${source} takes in no conversation`);
  const path = join(dataFolder, "chats", `${chat.id}.transcript`);
  const file = createNewFile(path, { replace: true, mode: 0o600 });
  for (const line of interchange.write(toTranscript(chat, source))) file.write(line);
  file.finish();
  const edit = await openEdit();
  try {
    // The program allows no double quotes in a name.
    const name = chat.title.replaceAll('"', "'").trim();
    const plan = await edit.planImport(path, { to: chat.workspace, ...(name !== "" && { name }) });
    await edit.apply(plan);
    return plan.session.id;
  } finally {
    edit.close();
    removeFile(path);
  }
}

/** What was said; an answer of which nothing came is none. */
function toTranscript(
  { id, title, createdAt, updatedAt, messages }: ChatRecord,
  source: SourceId,
): Transcript {
  const told = messages
    .filter(({ text }) => text.trim() !== "")
    .map(({ role, text, at }) => ({ role, text, at }));
  const times = new Map<ContextMessage, string>(told.map((message) => [message, message.at]));
  return {
    session: {
      source,
      id,
      title,
      createdAt,
      updatedAt,
      turns: 0,
      problems: 0,
      models: [],
      path: "",
      bytes: 0,
    },
    messages: told,
    timeOf: (message) => times.get(message),
    hasFailed: () => false,
  };
}
