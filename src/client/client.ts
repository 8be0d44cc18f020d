/** The API as functions: one for each address, typed by the operations behind them. Runs in browsers and in Node. */
import { ApiError, toApiError } from "./api-error.ts";
import { readEvents } from "./event-source.ts";
import { type EventsOptions, followEvents } from "./live-events.ts";
import { type ClientOptions, createRequester, type Options } from "./request.ts";
import type {
  Answer,
  BoardQuery,
  ChatEvent,
  Cloned,
  CloneRequest,
  CopilotWorkspaces,
  ExamineEvent,
  ExportQuery,
  Health,
  ImproveQuery,
  Input,
  ListQuery,
  Page,
  PlannedName,
  ReportQuery,
  SearchQuery,
  SecretsQuery,
  StandupQuery,
  StatsQuery,
} from "./types.ts";

export { ApiError };
export type RethreadClient = ReturnType<typeof createClient>;

export function createClient(options: ClientOptions = {}) {
  const { get, send, raw, urlOf } = createRequester(options);
  const at = (key: string, rest = ""): string => `/api/sessions/${encodeURIComponent(key)}${rest}`;
  /** Hands over what is said, until all of it was. */
  const listen = async <E>(
    response: Response,
    onEvent: (event: E) => void,
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    if (!response.body) throw await toApiError(response);
    let failure: ApiError | undefined;
    await readEvents(response.body, ({ type, data }) => {
      // Several may have come at once; who has stopped listening hears no more of them.
      if (signal?.aborted) return;
      const json = JSON.parse(data);
      if (type === "error") failure = new ApiError(response.status, json.error);
      else onEvent(json as E);
    });
    if (failure) throw failure;
  };
  return {
    health: (o?: Options) => get<Health>("/api/health", {}, o),
    overview: (o?: Options) => get<Answer<"overview">>("/api/overview", {}, o),
    sessions: (query: ListQuery = {}, o?: Options) => get<Page<"list">>("/api/sessions", query, o),
    session: (key: string, o?: Options) => get<Answer<"outline">>(at(key), {}, o),
    turns: (key: string, query: Omit<Input<"turns">, "session"> = {}, o?: Options) =>
      get<Answer<"turns">>(at(key, "/turns"), query, o),
    brief: (key: string, o?: Options) => get<Answer<"brief">>(at(key, "/brief"), {}, o),
    briefing: (key: string, query: Omit<Input<"handoff-brief">, "session"> = {}, o?: Options) =>
      get<Answer<"handoff-brief">>(at(key, "/briefing"), query, o),
    context: (key: string, o?: Options) => get<Answer<"context">>(at(key, "/context"), {}, o),
    lens: (key: string, query: Omit<Input<"lens">, "session"> = {}, o?: Options) =>
      get<Answer<"lens">>(at(key, "/lens"), query, o),
    record: (key: string, line: number, query: { readonly file?: string } = {}, o?: Options) =>
      get<Answer<"record">>(at(key, `/records/${line}`), query, o),
    /** A picture, by the id that `turns` has for it. */
    image: async (key: string, id: string, { signal }: Options = {}): Promise<Blob> =>
      (await raw(at(key, `/images/${encodeURIComponent(id)}`), signal ? { signal } : {})).blob(),
    find: (key: string, { text, ...query }: Omit<Input<"find">, "session">, o?: Options) =>
      get<Answer<"find">>(at(key, "/find"), { q: text, ...query }, o),
    checkpoints: (key: string, o?: Options) => get<Answer<"checkpoints">>(at(key, "/checkpoints"), {}, o),
    checkpoint: (key: string, number: number, o?: Options) =>
      get<Answer<"checkpoint">>(at(key, `/checkpoints/${number}`), {}, o),
    changedFiles: (key: string, o?: Options) => get<Answer<"changed-files">>(at(key, "/files"), {}, o),
    launch: (key: string, o?: Options) => get<Answer<"launch">>(at(key, "/launch"), {}, o),
    /** A link that downloads it. */
    exportUrl: (key: string, query: ExportQuery) => urlOf(at(key, "/export"), query),
    /** The same of several sessions, as one file. */
    exportAllUrl: (keys: readonly string[], query: ExportQuery) =>
      urlOf("/api/export", { ...query, sessions: keys.join(",") }),
    search: (query: SearchQuery, o?: Options) => get<Page<"search">>("/api/search", query, o),
    where: (query: Input<"where">, o?: Options) => get<Answer<"where">>("/api/where", query, o),
    sql: (body: Input<"sql">, o?: Options) => send<Answer<"sql">>("POST", "/api/sql", body, o),
    schema: (o?: Options) => get<Answer<"schema">>("/api/schema", {}, o),
    stats: (query: StatsQuery = {}, o?: Options) => get<Answer<"stats">>("/api/stats", query, o),
    statsBy: (
      by: Input<"stats-by">["by"],
      query: StatsQuery & { readonly limit?: number } = {},
      o?: Options,
    ) => get<Answer<"stats-by">>(`/api/stats/${by}`, query, o),
    standup: (query: StandupQuery = {}, o?: Options) =>
      get<Answer<"chronicle-standup">>("/api/chronicle/standup", query, o),
    tips: (query: ReportQuery = {}, o?: Options) =>
      get<Answer<"chronicle-tips">>("/api/chronicle/tips", query, o),
    improvements: (query: ImproveQuery = {}, o?: Options) =>
      get<Answer<"chronicle-improve">>("/api/chronicle/improve", query, o),
    tree: (o?: Options) => get<Answer<"tree">>("/api/tree", {}, o),
    /** The relatives of one session. */
    family: (session: string, o?: Options) => get<Answer<"tree">>("/api/tree", { session }, o),
    diff: (a: string, b: string, o?: Options) => get<Answer<"diff">>("/api/diff", { a, b }, o),
    blame: (query: Omit<Input<"blame">, "here">, o?: Options) => get<Answer<"blame">>("/api/blame", query, o),
    files: ({ text, ...query }: Input<"files"> = {}, o?: Options) =>
      get<Answer<"files">>("/api/files", { ...query, ...(text !== undefined && { q: text }) }, o),
    problems: (o?: Options) => get<Answer<"doctor">>("/api/problems", {}, o),
    /** The same while sessions are read; `finished` comes last, with all of it. To abort stops the reading. */
    examine: async (onEvent: (event: ExamineEvent) => void, { signal }: Options = {}): Promise<void> =>
      listen(await raw("/api/problems/found", signal ? { signal } : {}), onEvent, signal),
    workspaces: (o?: Options) => get<Answer<"workspaces">>("/api/workspaces", {}, o),
    secrets: (query: SecretsQuery = {}, o?: Options) => get<Answer<"secrets-scan">>("/api/secrets", query, o),
    syncStatus: (o?: Options) => get<Answer<"sync-status">>("/api/sync", {}, o),
    folderMatches: (query: { readonly folder?: string; readonly limit?: number } = {}, o?: Options) =>
      get<Answer<"folder-matches">>("/api/folder-matches", query, o),
    sources: (o?: Options) => get<Answer<"sources">>("/api/sources", {}, o),
    tags: (o?: Options) => get<Answer<"tags">>("/api/tags", {}, o),
    tag: (body: Input<"tag">, o?: Options) => send<Answer<"tag">>("POST", "/api/tags", body, o),
    board: (query: BoardQuery = {}, o?: Options) => get<Answer<"board-list">>("/api/board", query, o),
    /** Counts that it was read; without a name, that all of the board was used. */
    getBoardItem: (body: Input<"board-get">, o?: Options) =>
      send<Answer<"board-get">>("POST", "/api/board/get", body, o),
    addBoardItem: (body: Input<"board-add">, o?: Options) =>
      send<Answer<"board-add">>("POST", "/api/board", body, o),
    editBoardItem: ({ name, ...body }: Input<"board-edit">, o?: Options) =>
      send<Answer<"board-edit">>("PUT", `/api/board/${encodeURIComponent(name)}`, body, o),
    pruneBoard: (body: Input<"board-prune">, o?: Options) =>
      send<Answer<"board-prune">>("POST", "/api/board/prune", body, o),
    consolidateBoard: (body: Input<"board-consolidate">, o?: Options) =>
      send<Answer<"board-consolidate">>("POST", "/api/board/consolidate", body, o),
    undoBoard: (operation: string, o?: Options) =>
      send<Answer<"board-undo">>("POST", "/api/board/undo", { operation }, o),
    history: (o?: Options) => get<Answer<"history">>("/api/history", {}, o),
    index: (o?: Options) => get<Answer<"index-state">>("/api/index", {}, o),
    startIndex: (body: Input<"index"> = {}, o?: Options) =>
      send<{ readonly started: boolean }>("POST", "/api/index", body, o),
    settings: (o?: Options) => get<Answer<"config">>("/api/settings", {}, o),
    setSetting: (name: string, value: string, o?: Options) =>
      send<Answer<"config-set">>("PUT", "/api/settings", { name, value }, o),
    chats: (o?: Options) => get<Answer<"chats">>("/api/chats", {}, o),
    chat: (id: string, o?: Options) => get<Answer<"chat">>(`/api/chats/${encodeURIComponent(id)}`, {}, o),
    renameChat: (id: string, title: string, o?: Options) =>
      send<Answer<"chat-rename">>("PUT", `/api/chats/${encodeURIComponent(id)}`, { title }, o),
    deleteChat: (id: string, o?: Options) =>
      send<Answer<"chat-delete">>("DELETE", `/api/chats/${encodeURIComponent(id)}`, undefined, o),
    restoreChat: (id: string, o?: Options) =>
      send<Answer<"chat-restore">>("POST", `/api/chats/${encodeURIComponent(id)}/restore`, {}, o),
    /** Resolves when the answer is whole. To abort stops listening, not the answer: see `cancelChat`. */
    send: async (
      input: Input<"chat-send">,
      onEvent: (event: ChatEvent) => void,
      { signal }: Options = {},
    ): Promise<void> => {
      const response = await raw("/api/chats/send", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(input),
        ...(signal && { signal }),
      });
      await listen(response, onEvent, signal);
    },
    /** The answer that is under way, from its beginning; throws `session-not-found` where there is none. */
    followChat: async (
      id: string,
      onEvent: (event: ChatEvent) => void,
      { signal }: Options = {},
    ): Promise<void> =>
      listen(
        await raw(`/api/chats/${encodeURIComponent(id)}/answer`, signal ? { signal } : {}),
        onEvent,
        signal,
      ),
    cancelChat: (id: string, o?: Options) =>
      send<{ readonly cancelled: boolean }>(
        "POST",
        `/api/chats/${encodeURIComponent(id)}/cancel`,
        undefined,
        o,
      ),
    /** Writes nothing; `apply` carries out exactly what it shows. */
    plan: <N extends PlannedName>(operation: N, input: Input<N>, o?: Options) =>
      send<Answer<N>>("POST", `/api/plans/${operation}`, input, o),
    vendorRows: (fingerprint: string, o?: Options) =>
      get<Answer<"preview-vendor-rows">>(`/api/plans/${fingerprint}/vendor-rows`, {}, o),
    apply: (fingerprint: string, o?: Options) =>
      send<Answer<"apply">>("POST", `/api/plans/${fingerprint}/apply`, undefined, o),
    /** For `plan("import", { file })`. */
    upload: async (
      body: Blob | Uint8Array<ArrayBuffer>,
      ending: ".tar.gz" | ".tar" | ".jsonl" | ".json",
      { signal }: Options = {},
    ): Promise<{ readonly file: string; readonly bytes: number }> => {
      const response = await raw(`/api/uploads?ending=${encodeURIComponent(ending)}`, {
        method: "POST",
        headers: { "content-type": "application/octet-stream" },
        body,
        ...(signal && { signal }),
      });
      return (await response.json()) as { readonly file: string; readonly bytes: number };
    },
    jobs: (o?: Options) => get<Answer<"jobs">>("/api/jobs", {}, o),
    startJob: (body: Input<"job-start">, o?: Options) =>
      send<Answer<"job-start">>("POST", "/api/jobs", body, o),
    cancelJob: (id: string, o?: Options) =>
      send<Answer<"job-cancel">>("DELETE", `/api/jobs/${encodeURIComponent(id)}`, undefined, o),
    blockers: (body: Input<"blockers">, o?: Options) =>
      send<Answer<"blockers">>("POST", "/api/blockers", body, o),
    verifyBackups: (o?: Options) => send<Answer<"verify-backups">>("POST", "/api/backups/verify", {}, o),
    repairBackups: (o?: Options) => send<Answer<"repair-backups">>("POST", "/api/backups/repair", {}, o),
    confirm: (operation: string, o?: Options) =>
      send<Answer<"confirm">>("POST", "/api/backups/confirm", { operation }, o),
    prune: (o?: Options) => send<Answer<"prune">>("POST", "/api/backups/prune", {}, o),
    rebuildCopilotStore: (body: Input<"index-copilot"> = {}, o?: Options) =>
      send<Answer<"index-copilot">>("POST", "/api/copilot-store/rebuild", body, o),
    cloneCopilot: (body: CloneRequest, o?: Options) => send<Cloned>("POST", "/api/copilot/clone", body, o),
    copilotWorkspaces: (o?: Options) => get<CopilotWorkspaces>("/api/copilot/workspaces", {}, o),
    /** Live events, over any number of connections; see `reset` for when to ask for everything again. */
    events: (how: EventsOptions) =>
      followEvents(
        (lastId, signal) =>
          raw("/api/events", {
            headers: {
              accept: "text/event-stream",
              ...(lastId !== undefined && { "last-event-id": lastId }),
            },
            ...(signal && { signal }),
          }),
        how,
      ),
  };
}
