/** Sessions of the three agents, written as their programs write them, with the calls that change files. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { toKeyValueDb } from "../../src/platform/sqlite/key-value-db.ts";
import { folderName } from "../../src/sources/claude-code/locate.ts";

/** A call to a tool and what came of it, in the vendor's own words. */
export interface ToolUse {
  readonly name: string;
  readonly input: object | string;
  readonly ok: boolean;
  readonly output?: string;
  /** What the program keeps of the result for itself. */
  readonly record?: object;
  /** Parts of an answer that VS Code shows beside the call. */
  readonly parts?: readonly object[];
  /** The file before, which VS Code keeps in order to undo edits. */
  readonly baseline?: { readonly path: string; readonly content: string };
}

export interface AgentSession {
  readonly source: "copilot-cli" | "claude-code" | "vscode";
  readonly id: string;
  readonly title: string;
  turns(): number;
  prompt(text: string): void;
  say(text: string): void;
  think(text: string): void;
  use(tool: ToolUse): void;
  /** Goes back to the end of a turn, and continues from there. */
  rewind(turn: number): void;
  /** A copy up to and including a turn, as the program's own fork makes it. */
  fork(id: string, turn: number): AgentSession;
  save(): void;
}

export interface AgentHome {
  /** The folder of all homes. */
  readonly folder: string;
  /** Of the sessions. */
  readonly workspace: string;
  /** A moment later with every call. */
  now(): Date;
}

export const homeVars = (folder: string): Record<string, string> => ({
  COPILOT_HOME: join(folder, "copilot"),
  CLAUDE_CONFIG_DIR: join(folder, "claude"),
  VSCODE_STORAGE_PATH: join(folder, "vscode/User/workspaceStorage"),
});

type Row = Record<string, unknown>;

const save = (path: string, content: string | Uint8Array): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};
const toLog = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");
let count = 0;
export const newId = (): string => `${(++count).toString(16).padStart(8, "0")}-b1a3-4000-8000-000000000000`;

export function copilotSession(home: AgentHome, id: string, before: readonly Row[] = []): AgentSession {
  const event = (type: string, data: object): Row => ({
    type,
    data,
    id: newId(),
    timestamp: home.now().toISOString(),
    parentId: null,
  });
  const start = { sessionId: id, version: 1, producer: "copilot-agent", copilotVersion: "1.0.102" };
  const rows: Row[] =
    before.length > 0
      ? [...before]
      : [
          event("session.start", {
            ...start,
            startTime: home.now().toISOString(),
            context: { cwd: home.workspace },
          }),
        ];
  const answer = (data: object): void =>
    void rows.push(event("assistant.message", { messageId: newId(), content: "", ...data }));
  const promptsIn = (): number[] => rows.flatMap(({ type }, at) => (type === "user.message" ? [at] : []));
  const upTo = (turn: number): Row[] => rows.slice(0, promptsIn()[turn + 1] ?? rows.length);
  const title = `Copilot ${id.slice(0, 8)}`;
  return {
    source: "copilot-cli",
    id,
    title,
    turns: () => promptsIn().length,
    prompt: (content) => void rows.push(event("user.message", { content })),
    say: (content) => answer({ content }),
    think: (reasoningText) => answer({ reasoningText }),
    use({ name, input, ok, output = "done", record = {} }) {
      const toolCallId = newId();
      answer({ toolRequests: [{ toolCallId, name, arguments: input, type: "function" }] });
      rows.push(event("tool.execution_start", { toolCallId, toolName: name, arguments: input }));
      // In the order of the program, by which readers find what they want without reading all.
      const { result = { content: output }, ...facts }: Row = { ...record };
      const outcome = ok
        ? { ...facts, success: true, result }
        : { success: false, error: { message: output, code: "failure" } };
      rows.push(event("tool.execution_complete", { toolCallId, ...outcome }));
    },
    rewind: (turn) => void rows.splice(0, rows.length, ...upTo(turn)),
    fork(other, turn) {
      const [first, ...rest] = upTo(turn);
      const now = home.now().toISOString();
      const renewed = {
        ...first,
        data: { ...(first?.data as object), sessionId: other, startTime: now },
        timestamp: now,
      };
      const info = event("session.info", {
        infoType: "fork",
        message: `Forked from "${title}" (${id}) as "${title} (fork)" (${other})`,
      });
      return copilotSession(home, other, [renewed, ...rest, info]);
    },
    save() {
      const folder = join(home.folder, "copilot/session-state", id);
      save(join(folder, "events.jsonl"), toLog(rows));
      save(join(folder, "workspace.yaml"), `id: ${id}\ncwd: ${home.workspace}\nname: ${title}\n`);
    },
  };
}

export function claudeSession(home: AgentHome, id: string, before: readonly Row[] = []): AgentSession {
  const rows: Row[] = before.map((row) => ({ ...row, sessionId: id }));
  let last = (rows.at(-1)?.uuid as string | undefined) ?? null;
  const row = (fields: Row): void => {
    const uuid = newId();
    rows.push({
      parentUuid: last,
      isSidechain: false,
      cwd: home.workspace,
      sessionId: id,
      version: "2.1.325",
      ...fields,
      uuid,
      timestamp: home.now().toISOString(),
    });
    last = uuid;
  };
  const answer = (block: object): void =>
    row({
      type: "assistant",
      message: { id: newId(), role: "assistant", model: "claude-sonnet-4-5", content: [block] },
    });
  /** The rows that the next one hangs on, from the first on. */
  const chain = (): Row[] => {
    const found: Row[] = [];
    for (let at = last; at !== null; ) {
      const here = rows.find(({ uuid }) => uuid === at);
      if (!here) break;
      found.push(here);
      at = here.parentUuid as string | null;
    }
    return found.reverse();
  };
  const isPrompt = ({ type, message }: Row): boolean =>
    type === "user" && typeof (message as Row).content === "string";
  const upTo = (turn: number): Row[] => {
    const all = chain();
    const next = all.flatMap((each, at) => (isPrompt(each) ? [at] : []))[turn + 1];
    return all.slice(0, next ?? all.length);
  };
  return {
    source: "claude-code",
    id,
    title: `Claude ${id.slice(0, 8)}`,
    turns: () => chain().filter(isPrompt).length,
    prompt: (content) => row({ type: "user", message: { role: "user", content } }),
    say: (text) => answer({ type: "text", text }),
    think: (thinking) => answer({ type: "thinking", thinking, signature: "" }),
    use({ name, input, ok, output = "done", record }) {
      const call = `toolu_${newId()}`;
      answer({ type: "tool_use", id: call, name, input });
      const result = {
        type: "tool_result",
        tool_use_id: call,
        content: output,
        ...(!ok && { is_error: true }),
      };
      row({
        type: "user",
        message: { role: "user", content: [result] },
        toolUseResult: ok ? record : `Error: ${output}`,
      });
    },
    rewind(turn) {
      last = (upTo(turn).at(-1)?.uuid as string | undefined) ?? null;
    },
    fork: (other, turn) => claudeSession(home, other, upTo(turn)),
    save() {
      const title = { type: "custom-title", customTitle: `Claude ${id.slice(0, 8)}`, sessionId: id };
      save(
        join(home.folder, "claude/projects", folderName(home.workspace), `${id}.jsonl`),
        toLog([...rows, title]),
      );
    },
  };
}

interface Request extends Row {
  readonly response: object[];
  readonly result: { readonly metadata: { toolCallRounds: object[]; toolCallResults: Row } };
}

/** All chats of one window; VS Code lists them together. */
export function vsCodeSession(home: AgentHome, id: string, before: readonly Request[] = []): AgentSession {
  const requests: Request[] = [...before];
  const fileBaselines: [string, object][] = [];
  const began = home.now().getTime();
  const title = `Chat ${id.slice(0, 8)}`;
  const open = (): Request => requests.at(-1) as Request;
  const shown = (): Request[] => requests.filter(({ shouldBeRemovedOnSend }) => !shouldBeRemovedOnSend);
  const ended = (request: Request): void =>
    void Object.assign(request, { modelState: { value: 1, completedAt: home.now().getTime() } });
  return {
    source: "vscode",
    id,
    title,
    turns: () => requests.length,
    prompt(text) {
      // What was undone goes with the next message.
      requests.splice(0, requests.length, ...shown());
      requests.push({
        requestId: `request_${newId()}`,
        timestamp: home.now().getTime(),
        message: { text, parts: [{ kind: "text", text, range: { start: 0, endExclusive: text.length } }] },
        variableData: { variables: [] },
        response: [],
        modelState: { value: 1, completedAt: home.now().getTime() },
        result: { metadata: { toolCallRounds: [], toolCallResults: {} } },
      });
    },
    say: (value) => void open().response.push({ value }),
    think: (value) => void open().response.push({ kind: "thinking", value }),
    use({ name, input, ok, output = "done", parts = [], baseline }) {
      const { requestId } = open();
      const key = `${baseline?.path}::${requestId}`;
      if (baseline && ok && !fileBaselines.some(([known]) => known === key)) {
        const uri = { $mid: 1, path: baseline.path, scheme: "file" };
        fileBaselines.push([key, { uri, requestId, content: baseline.content, epoch: fileBaselines.length }]);
      }
      const call = newId();
      const { metadata } = open().result;
      metadata.toolCallRounds.push({
        id: newId(),
        response: "",
        toolCalls: [{ id: call, name, arguments: typeof input === "string" ? input : JSON.stringify(input) }],
      });
      metadata.toolCallResults[call] = {
        $mid: 20,
        content: [{ $mid: 21, value: ok ? output : `ERROR while calling tool: ${output}` }],
      };
      open().response.push(
        {
          kind: "toolInvocationSerialized",
          toolCallId: call,
          toolId: name,
          invocationMessage: name,
          isComplete: true,
          isConfirmed: { type: 1 },
        },
        ...parts,
      );
      ended(open());
    },
    rewind(turn) {
      for (const request of requests.slice(turn + 1))
        Object.assign(request, { shouldBeRemovedOnSend: { requestId: request.requestId } });
    },
    fork: (other, turn) =>
      vsCodeSession(
        home,
        other,
        structuredClone(shown().slice(0, turn + 1)).map((request) => ({
          ...request,
          requestId: `request_${newId()}`,
        })),
      ),
    save() {
      const store = join(home.folder, "vscode/User/workspaceStorage/b1a3");
      save(join(store, "workspace.json"), JSON.stringify({ folder: `file://${home.workspace}` }));
      const v = {
        version: 3,
        sessionId: id,
        creationDate: began,
        customTitle: title,
        responderUsername: "GitHub Copilot",
        initialLocation: "panel",
        requests,
      };
      save(join(store, "chatSessions", `${id}.jsonl`), toLog([{ kind: 0, v }]));
      const timeline = { checkpoints: [], currentEpoch: 1, epochCounter: 1, fileBaselines, operations: [] };
      const state = { version: 2, initialFileContents: [], timeline, recentSnapshot: { entries: [] } };
      save(join(store, "chatEditingSessions", id, "state.json"), JSON.stringify(state));
    },
  };
}

/** VS Code's list of its chats. */
export function saveChatList(home: AgentHome, chats: readonly AgentSession[]): void {
  const entries = Object.fromEntries(
    chats.map(({ id, title }) => [
      id,
      {
        sessionId: id,
        title,
        lastMessageDate: 1,
        isEmpty: false,
        initialLocation: "panel",
        lastResponseState: 1,
      },
    ]),
  );
  const list = JSON.stringify({ version: 1, entries });
  const store = join(home.folder, "vscode/User/workspaceStorage/b1a3");
  save(join(store, "state.vscdb"), toKeyValueDb("ItemTable", { "chat.ChatSessionStore.index": list }));
}
