/** Connects a bridge to each program that can be talked to, and to its sessions: how they are found, read and written. */
import { resolve } from "node:path";
import { type Bridge, createBridge, type NewChat } from "../../bridge/bridge.ts";
import { openChats } from "../../bridge/chat-files.ts";
import { type ChatKeeping, createKeeping } from "../../bridge/chat-keeping.ts";
import { type ChatMessage, type ChatRecord, hold } from "../../bridge/chat-record.ts";
import { claimSession } from "../../edit/apply/locks.ts";
import { AppError } from "../../model/errors.ts";
import type { Artifact, Event, SourceId } from "../../model/session/session.ts";
import { formatKey, type SessionKey, shortId } from "../../model/values/id.ts";
import { isAtOrBelow } from "../../model/values/paths.ts";
import { isSameFolder, realFolder } from "../../platform/disk/folders.ts";
import { findProgram } from "../../platform/process/find-program.ts";
import { createProcessLook } from "../../platform/process/process-look.ts";
import { readHead } from "../../query/heads.ts";
import type { Catalog, PlacedDriver } from "../../sources/catalog.ts";
import type { AppConfig } from "../config.ts";
import { noProgramHere } from "../edit/refusals.ts";
import type { EditApp } from "../edit-contract.ts";
import type { Request } from "../request.ts";
import { restoreChat } from "./restoring.ts";

/** A program that can be talked to. */
export interface ChatAgent {
  readonly source: SourceId;
  readonly label: string;
  /** Whether its program was found on this machine. */
  readonly isInstalled: boolean;
}

export interface ChatApp extends Pick<Bridge, "chats" | "send"> {
  /** Renames, deletes and brings back conversations. */
  readonly keeping: ChatKeeping;
  /** The programs that can be talked to; the one that new conversations are with comes first. */
  agents(): readonly ChatAgent[];
  /** Throws, with how to get it, where a program is missing or too old: this one, or the one for new conversations. */
  check(agent?: string): Promise<void>;
  /** A new one, about a folder. Throws as `check` does. */
  begin(about: {
    readonly workspace?: string;
    readonly model?: string;
    /** The source whose program it is with; otherwise the first that is installed. */
    readonly agent?: string;
  }): Promise<ChatRecord>;
  /**
   * Opens a conversation by name: one of ours, or a new one for a session of a program. With another folder it
   * continues there, in a copy of the program's session. Throws as `check` does.
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
  /** The source that new conversations are with, unless they name another. */
  readonly agent?: string;
  /** Its program (by default the first one's), where that is not the one on the path. */
  readonly program?: string;
  readonly edit: () => Promise<EditApp>;
}

export async function createChatApp(options: ChatAppOptions): Promise<ChatApp> {
  const { config, dataFolder, vars } = options;
  const { catalog } = await options.open();
  const all = await catalog.drivers();
  const [first] = all;
  if (!first) throw noProgramHere();
  const files = openChats(dataFolder);
  const named = options.agent === undefined ? undefined : placedOf(options.agent);
  const programOf = ({ source }: PlacedDriver): string | undefined =>
    source === (named ?? first).source ? options.program : undefined;
  const isInstalled = (placed: PlacedDriver): boolean =>
    findProgram(programOf(placed) ?? placed.driver.program, config.folder, vars) !== undefined;
  /** A path that was given is meant, whether a program is there or not. */
  const preferred = (): PlacedDriver =>
    named ?? (options.program === undefined ? all.find(isInstalled) : undefined) ?? first;

  const bridges = new Map<SourceId, Bridge>();
  const bridgeOf = (source: string): Bridge => {
    const placed = placedOf(source);
    const bridge = bridges.get(placed.source) ?? bridgeTo(placed);
    bridges.set(placed.source, bridge);
    return bridge;
  };
  const toFolder = async (path: string): Promise<string> => {
    const folder = await realFolder(resolve(config.folder, path));
    if (folder !== undefined) return folder;
    throw new AppError("usage", `${path} is not a folder`, "Name the folder to work in");
  };
  /** Of conversations in which nothing was said yet. */
  const begun = new Map<string, SourceId>();
  const create = (source: SourceId, about: NewChat): ChatRecord => {
    const chat = bridgeOf(source).create(about);
    begun.set(chat.id, source);
    return chat;
  };
  return {
    chats: files,
    keeping: createKeeping(files, config.now),
    agents() {
      const leading = preferred();
      return [leading, ...all.filter((each) => each !== leading)].map((placed) => ({
        ...{ source: placed.source, label: placed.label, isInstalled: isInstalled(placed) },
      }));
    },
    check: async (agent) => bridgeOf(agent ?? preferred().source).check(),
    async *send(id, text, how) {
      yield* bridgeOf(begun.get(id) ?? files.load(id).source).send(id, text, how);
    },
    async begin({ workspace = config.folder, model, agent }) {
      const { source } = agent === undefined ? preferred() : placedOf(agent);
      const folder = await toFolder(workspace);
      await bridgeOf(source).check();
      return create(source, { workspace: folder, ...(model !== undefined && { model }) });
    },
    async open(name, { workspace }) {
      const folder = workspace === undefined ? undefined : await toFolder(workspace);
      const kept = files.has(name) ? files.load(name) : await find(name);
      await bridgeOf(kept.source).check();
      if ("messages" in kept) return folder === undefined ? kept : takeTo(kept, folder);
      return adopt(kept, folder);
    },
    async isHere({ workspace }) {
      const [theirs, ours] = await Promise.all([realFolder(workspace), realFolder(config.folder)]);
      // If it is gone, sending reports it.
      return theirs === undefined || ours === undefined || isAtOrBelow(ours, theirs);
    },
  };

  function placedOf(source: string): PlacedDriver {
    const placed = all.find((each) => each.source === source);
    if (placed) return placed;
    const known = all.map((each) => each.source).join(" or ");
    throw new AppError("usage", `There is no program called ${source} to chat with`, `Name ${known}`);
  }

  function bridgeTo(placed: PlacedDriver): Bridge {
    const { driver, root, source } = placed;
    const program = programOf(placed);
    const artifactOf = async (id: string) =>
      (await catalog.scan([source])).artifacts.find(
        (each) => each.id === id && each.vanishedAt === undefined,
      );
    return createBridge({
      ...{ files, source, driver, dataFolder, vars, folder: config.folder, now: config.now },
      ...(program !== undefined && { program }),
      logEnd: (id) => driver.logEnd(catalog.fs, root, id),
      spentSince: (id, place) => driver.spentSince(catalog.fs, root, id, place),
      claim: async (id, folder) =>
        claimSession(dataFolder, { id, path: await driver.logPath(catalog.fs, root, id, folder) }),
      async owner(id) {
        const artifact = await artifactOf(id);
        return artifact && (await catalog.owners([artifact], createProcessLook())).get(artifact.path);
      },
      async history(id) {
        const artifact = await artifactOf(id);
        return artifact ? readHistory(catalog, artifact) : [];
      },
      restore: (chat) => restoreChat(chat, options.edit),
      known: () => driver.sessions(catalog.fs, root),
      capture: (justMade) => driver.capture(catalog.fs, root, { ...justMade, isSame: isSameFolder }),
      isFolder: async (path) => (await realFolder(path)) !== undefined,
    });
  }

  /** A conversation that holds the session, or the session. */
  async function find(name: string): Promise<ChatRecord | Artifact> {
    const { artifact } = await (await options.open()).find(name);
    const { source, id } = artifact;
    if (!all.some((each) => each.source === source))
      throw new AppError(
        "not-supported",
        `Rethread can only chat with ${all.map(({ label }) => label).join(" and ")}, and this is a session of ${source}`,
        {
          say: "Continue it in its own program",
          remedy: { action: "resume", session: `${source}:${shortId(id)}` },
        },
      );
    const mine = files.list().chats.find((chat) => chat.cliSession === id && chat.source === source);
    return mine ? files.load(mine.id) : artifact;
  }

  async function adopt(artifact: Artifact, folder: string | undefined): Promise<ChatRecord> {
    const { session } = await readHead(catalog, artifact);
    const workspace = session.workspace ?? config.folder;
    const isElsewhere = folder !== undefined && !(await isSameFolder(folder, workspace));
    return create(artifact.source, {
      workspace: folder ?? workspace,
      title: session.title,
      cliSession: isElsewhere ? await cloneTo(artifact, folder) : artifact.id,
      messages: await readHistory(catalog, artifact),
    });
  }

  async function takeTo(chat: ChatRecord, folder: string): Promise<ChatRecord> {
    if (await isSameFolder(chat.workspace, folder)) return chat;
    const { source, cliSession } = chat;
    const { driver, root } = placedOf(source);
    const moved = { ...chat, workspace: folder };
    const isHeld = cliSession !== undefined && (await driver.logEnd(catalog.fs, root, cliSession)) > 0;
    const taken = isHeld ? hold(moved, await cloneTo({ source, id: cliSession }, folder), true) : moved;
    files.save(taken);
    return taken;
  }

  /** The program always goes back to the folder of its session; so another folder needs another session. */
  async function cloneTo(session: SessionKey, folder: string): Promise<string> {
    const edit = await options.edit();
    try {
      const plan = await edit.planClone(formatKey(session), { to: folder });
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
