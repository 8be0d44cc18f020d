/** VS Code's own classes, loaded from npm, with the small host that they need around them. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export interface HostServices {
  readonly workspaceId: string;
  readonly workspaceHome: string;
  readonly indexText: string | undefined;
  /** Warnings and errors that VS Code logs are added here. */
  readonly complaints: string[];
  readFile(path: string): Uint8Array;
}

/** A session as VS Code's store hands it to the model. */
export interface RawSession {
  readonly value: { readonly requests: readonly unknown[] };
}

export interface RawStore {
  getIndex(): Promise<Record<string, { initialLocation?: string; isEmpty?: boolean; isExternal?: boolean }>>;
  readSession(id: string): Promise<RawSession | undefined>;
}

/** What VS Code saves a session with; it knows what was saved before. */
export interface RawLog {
  write(model: unknown): { op: "append" | "replace"; data: { buffer: Uint8Array } };
  confirmWrite(): void;
}

export interface RawModel {
  readonly title: string;
  readonly isImported: boolean;
  readonly initialLocation: string;
  readonly dataSerializer: RawLog;
  getRequests(): { message: { text: string }; response?: { response: { getMarkdown(): string } } }[];
  /** What *Export Chat…* writes. */
  toExport(): object;
  dispose(): void;
}

export interface VsCode {
  createStore(host: HostServices): RawStore;
  createModel(data: RawSession, id: string, complaints: string[]): RawModel;
  /** What *Import Chat…* makes of a file; throws what it says of one that it refuses. */
  importChat(text: string, id: string, complaints: string[]): RawModel;
  /** A log that nothing was written to yet. */
  createLog(): RawLog;
  /** Replays the bytes of a mutation log. */
  readLog(bytes: Uint8Array): { requests: unknown[] };
  /** The error that VS Code's file service throws for an error of Node. */
  fileError(error: NodeJS.ErrnoException): Error;
}

// biome-ignore lint/suspicious/noExplicitAny: the packages are plain JavaScript without types for these classes
type Untyped = any;

const packages = join(import.meta.dirname, "node_modules", "@codingame");
const load = async (name: "api" | "chat-service-override", path: string): Promise<Untyped> =>
  import(
    /* @vite-ignore */ pathToFileURL(join(packages, `monaco-vscode-${name}`, "vscode", "src", "vs", path))
      .href
  );

let loading: Promise<VsCode> | undefined;

/** Loading takes seconds, so it is done once. */
export function loadVsCode(): Promise<VsCode> {
  loading ??= loadModules();
  return loading;
}

async function loadModules(): Promise<VsCode> {
  const chat = "workbench/contrib/chat/common/model";
  const [{ VSBuffer }, { URI }, { Event }, { revive }, files, model, { LocalChatSessionUri }, sessions, log] =
    await Promise.all([
      load("api", "base/common/buffer.js"),
      load("api", "base/common/uri.js"),
      load("api", "base/common/event.js"),
      load("api", "base/common/marshalling.js"),
      load("api", "platform/files/common/files.js"),
      load("api", `${chat}/chatModel.js`),
      load("api", `${chat}/chatUri.js`),
      load("chat-service-override", `${chat}/chatSessionStore.js`),
      load("chat-service-override", `${chat}/chatSessionOperationLog.js`),
    ]);
  const { ChatModel, isExportableSessionData } = model;
  const none = (): undefined => undefined;

  const createModel: VsCode["createModel"] = (data, id, complaints) => {
    const agents = { getDefaultAgent: none, getAgent: none, acquireExistingSession: none };
    const properties = {
      initialLocation: "panel",
      canUseTools: true,
      resource: LocalChatSessionUri.forSession(id),
      disableBackgroundKeepAlive: true,
    };
    return new ChatModel(data, properties, logService(complaints), agents, agents, agents);
  };

  return {
    createStore(host) {
      const workspace = {
        id: host.workspaceId,
        folders: [{ uri: URI.file("/judged") }],
        configuration: undefined,
      };
      const fileService = {
        readFile: async (uri: Untyped) => ({ value: VSBuffer.wrap(host.readFile(uri.fsPath)) }),
      };
      return new sessions.ChatSessionStore(
        fileService,
        { workspaceStorageHome: URI.file(host.workspaceHome) },
        logService(host.complaints),
        { getWorkspace: () => workspace },
        { publicLog2: none },
        { get: () => host.indexText, store: none },
        { onWillShutdown: Event.None },
        { defaultProfile: { globalStorageHome: URI.file("/judged/globalStorage") } },
        { getValue: none },
        { onDidEnterWorkspace: Event.None },
        { prompt: none },
        { open: none },
      );
    },
    importChat(text, id, complaints) {
      const data = revive(JSON.parse(text));
      if (!isExportableSessionData(data)) throw new Error("Invalid chat session data");
      return createModel({ value: data }, id, complaints);
    },
    createModel,
    createLog: () => new log.ChatSessionOperationLog(),
    readLog: (bytes) => new log.ChatSessionOperationLog().read(VSBuffer.wrap(bytes)),
    fileError: (error) =>
      new files.FileOperationError(
        error.message,
        error.code === "ENOENT"
          ? files.FileOperationResult.FILE_NOT_FOUND
          : files.FileOperationResult.FILE_OTHER_ERROR,
      ),
  };
}

function logService(complaints: string[]): object {
  const note = (...words: unknown[]): void => void complaints.push(words.map(String).join(" ").slice(0, 400));
  return { error: note, warn: note, info: () => undefined, debug: () => undefined, trace: () => undefined };
}
