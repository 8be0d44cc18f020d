/** Connects the bridge to Copilot CLI's sessions: how they are found, read and written. */
import { resolve } from "node:path";
import { type Bridge, createBridge } from "../../bridge/bridge.ts";
import { openChats } from "../../bridge/chat-files.ts";
import { type ChatKeeping, createKeeping } from "../../bridge/chat-keeping.ts";
import { type ChatMessage, type ChatRecord, hold } from "../../bridge/chat-record.ts";
import { claimSession } from "../../edit/apply/locks.ts";
import { AppError } from "../../model/errors.ts";
import type { Artifact, Event } from "../../model/session/session.ts";
import { shortId } from "../../model/values/id.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import { isSameFolder, realFolder } from "../../platform/disk/folders.ts";
import { createProcessLook } from "../../platform/process/process-look.ts";
import { readHead } from "../../query/heads.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { AppConfig } from "../config.ts";
import { noProgramHere } from "../edit/refusals.ts";
import type { EditApp } from "../edit-contract.ts";
import type { Request } from "../request.ts";
import { restoreChat } from "./restoring.ts";

export interface ChatApp extends Pick<Bridge, "chats" | "check" | "send"> {
  /** Renames, deletes and brings back conversations. */
  readonly keeping: ChatKeeping;
  /** A new one, about a folder. */
  begin(about: { readonly workspace?: string; readonly model?: string }): Promise<ChatRecord>;
  /**
   * Opens a conversation by name: one of ours, or a new one for a session of the program. With another folder it
   * continues there, in a copy of the program's session.
   */
  open(name: string, about: { readonly workspace?: string }): Promise<ChatRecord>;
  /** Whether it is about the folder that we are in, or one around it. */
  isHere(chat: ChatRecord): Promise<boolean>;
}

export interface ChatAppOptions {
  /** Scanned again for each lookup, because a conversation may last for days. */
  readonly open: () => Promise<Request>;
  readonly config: AppConfig;
  readonly dataFolder: string;
  /** The environment of the program. */
  readonly vars: Readonly<Record<string, string | undefined>>;
  /** The program, where it is not the one on the path. */
  readonly program?: string;
  readonly edit: () => Promise<EditApp>;
}

export async function createChatApp(options: ChatAppOptions): Promise<ChatApp> {
  const { config, dataFolder } = options;
  const { catalog } = await options.open();
  const [placed] = await catalog.drivers();
  if (!placed) throw noProgramHere();
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
    vars: options.vars,
    now: config.now,
    logEnd: (id) => driver.logEnd(catalog.fs, root, id),
    spentSince: (id, place) => driver.spentSince(catalog.fs, root, id, place),
    claim: (id) => claimSession(dataFolder, { id, path: driver.logPath(root, id) }),
    async owner(id) {
      const artifact = await artifactOf(id);
      return artifact && (await catalog.owners([artifact], createProcessLook())).get(artifact.path);
    },
    async history(id) {
      const artifact = await artifactOf(id);
      return artifact ? readHistory(catalog, artifact) : [];
    },
    restore: (chat) => restoreChat(chat, { catalog, source, dataFolder, edit: options.edit }),
    known: () => driver.sessions(catalog.fs, root),
    capture: (justMade) => driver.capture(catalog.fs, root, { ...justMade, isSame: isSameFolder }),
    isFolder: async (path) => (await realFolder(path)) !== undefined,
  });

  const toFolder = async (path: string): Promise<string> => {
    const folder = await realFolder(resolve(config.folder, path));
    if (folder !== undefined) return folder;
    throw new AppError("usage", `${path} is not a folder`, "Name the folder to work in");
  };
  return {
    chats: files,
    keeping: createKeeping(files, config.now),
    check: bridge.check,
    send: bridge.send,
    begin: async ({ workspace = config.folder, model }) =>
      bridge.create({ workspace: await toFolder(workspace), ...(model !== undefined && { model }) }),
    async open(name, { workspace }) {
      const folder = workspace === undefined ? undefined : await toFolder(workspace);
      const kept = files.has(name) ? files.load(name) : await find(name);
      if ("messages" in kept) return folder === undefined ? kept : takeTo(kept, folder);
      return adopt(kept, folder);
    },
    async isHere({ workspace }) {
      const [theirs, ours] = await Promise.all([realFolder(workspace), realFolder(config.folder)]);
      // If it is gone, sending reports it.
      return theirs === undefined || ours === undefined || isAtOrBelow(ours, theirs);
    },
  };

  /** A conversation that holds the session, or the session. */
  async function find(name: string): Promise<ChatRecord | Artifact> {
    const { artifact } = await (await options.open()).find(name);
    if (artifact.source !== source)
      throw new AppError(
        "not-supported",
        `Rethread can only chat with ${driver.program}, and this is a session of ${artifact.source}`,
        {
          say: "Continue it in its own program",
          remedy: { action: "resume", session: `${artifact.source}:${shortId(artifact.id)}` },
        },
      );
    const mine = files.list().chats.find((chat) => chat.cliSession === artifact.id);
    return mine ? files.load(mine.id) : artifact;
  }

  async function adopt(artifact: Artifact, folder: string | undefined): Promise<ChatRecord> {
    const { session } = await readHead(catalog, artifact);
    const workspace = session.workspace ?? config.folder;
    const isElsewhere = folder !== undefined && !(await isSameFolder(folder, workspace));
    return bridge.create({
      workspace: folder ?? workspace,
      title: session.title,
      cliSession: isElsewhere ? await cloneTo(artifact.id, folder) : artifact.id,
      messages: await readHistory(catalog, artifact),
    });
  }

  async function takeTo(chat: ChatRecord, folder: string): Promise<ChatRecord> {
    if (await isSameFolder(chat.workspace, folder)) return chat;
    const { cliSession } = chat;
    const moved = { ...chat, workspace: folder };
    const isHeld = cliSession !== undefined && (await driver.logEnd(catalog.fs, root, cliSession)) > 0;
    const taken = isHeld ? hold(moved, await cloneTo(cliSession, folder), true) : moved;
    files.save(taken);
    return taken;
  }

  /** The program always goes back to the folder of its session; so another folder needs another session. */
  async function cloneTo(cliSession: string, folder: string): Promise<string> {
    const edit = await options.edit();
    try {
      const plan = await edit.planClone(`${source}:${cliSession}`, { to: folder });
      await edit.apply(plan.fingerprint);
      return plan.session.id;
    } finally {
      edit.close();
    }
  }
}

async function readHistory(catalog: Catalog, artifact: Artifact): Promise<readonly ChatMessage[]> {
  const history = createHistory();
  await catalog.read(artifact, { event: history.add, problem: () => undefined }, { skim: true });
  return history.messages;
}

/** Several texts between two prompts are one answer. */
export function createHistory(): { readonly messages: readonly ChatMessage[]; add(event: Event): void } {
  const messages: ChatMessage[] = [];
  return {
    messages,
    add(event) {
      if ((event.kind !== "prompt" && event.kind !== "text") || event.agent !== undefined) return;
      const at = event.time ?? messages.at(-1)?.at ?? new Date(0).toISOString();
      const last = messages.at(-1);
      if (event.kind === "prompt") messages.push({ role: "user", text: event.text, at });
      else if (last?.role !== "assistant") messages.push({ role: "assistant", text: event.text, at });
      else messages[messages.length - 1] = { ...last, text: `${last.text}\n\n${event.text}` };
    },
  };
}
