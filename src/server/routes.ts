/** Every address of the API that answers with an operation: one row each, from which requests are read and documented. */
import type { OperationName } from "../operations/index.ts";

export type Method = "GET" | "POST" | "PUT" | "DELETE";

type Fields = Readonly<Record<string, unknown>>;

export interface Route {
  readonly method: Method;
  /** `{name}` stands for one part of the path. */
  readonly path: string;
  readonly operation: OperationName;
  /** How the address calls a field of the input, where it has another name for it. */
  readonly names?: Readonly<Record<string, string>>;
  /** What holds unless the request says otherwise; of the first page, and of every page. */
  readonly defaults?: { readonly first?: Fields; readonly every?: Fields };
  /** That the sessions of its answer were tagged is told to all clients. */
  readonly tells?: "tagged";
  /** The page that comes next is called `nextCursor` here. */
  readonly isPaged?: true;
}

const FILTERS = { source: "sources", repo: "repository", tag: "tags" } as const;

/** With GET, the fields that the path does not name are those of the query; else, those of the body. */
export const ROUTES: readonly Route[] = [
  { method: "GET", path: "/api/overview", operation: "overview", names: { source: "sources" } },
  {
    method: "GET",
    path: "/api/sessions",
    operation: "list",
    names: { ...FILTERS, q: "text" },
    isPaged: true,
  },
  { method: "GET", path: "/api/sessions/{session}", operation: "outline" },
  { method: "GET", path: "/api/sessions/{session}/turns", operation: "turns" },
  { method: "GET", path: "/api/sessions/{session}/context", operation: "context" },
  { method: "GET", path: "/api/sessions/{session}/brief", operation: "brief" },
  { method: "GET", path: "/api/sessions/{session}/briefing", operation: "handoff-brief" },
  { method: "GET", path: "/api/sessions/{session}/lens", operation: "lens" },
  { method: "GET", path: "/api/sessions/{session}/find", operation: "find", names: { q: "text" } },
  { method: "GET", path: "/api/sessions/{session}/records/{line}", operation: "record" },
  { method: "GET", path: "/api/sessions/{session}/checkpoints", operation: "checkpoints" },
  { method: "GET", path: "/api/sessions/{session}/checkpoints/{number}", operation: "checkpoint" },
  { method: "GET", path: "/api/sessions/{session}/files", operation: "changed-files" },
  { method: "GET", path: "/api/sessions/{session}/launch", operation: "launch" },
  {
    method: "GET",
    path: "/api/search",
    operation: "search",
    names: { ...FILTERS, q: "text" },
    isPaged: true,
  },
  { method: "GET", path: "/api/where", operation: "where" },
  { method: "POST", path: "/api/sql", operation: "sql" },
  { method: "GET", path: "/api/schema", operation: "schema" },
  { method: "GET", path: "/api/stats", operation: "stats", names: FILTERS },
  { method: "GET", path: "/api/stats/{by}", operation: "stats-by", names: FILTERS },
  { method: "GET", path: "/api/chronicle/standup", operation: "chronicle-standup", names: FILTERS },
  { method: "GET", path: "/api/chronicle/tips", operation: "chronicle-tips", names: FILTERS },
  { method: "GET", path: "/api/chronicle/improve", operation: "chronicle-improve", names: FILTERS },
  { method: "GET", path: "/api/tree", operation: "tree" },
  { method: "GET", path: "/api/diff", operation: "diff" },
  { method: "GET", path: "/api/blame", operation: "blame" },
  { method: "GET", path: "/api/files", operation: "files", names: { q: "text" } },
  { method: "GET", path: "/api/problems", operation: "doctor", names: { source: "sources" } },
  { method: "GET", path: "/api/workspaces", operation: "workspaces", names: { source: "sources" } },
  {
    method: "GET",
    path: "/api/folder-matches",
    operation: "folder-matches",
    names: { source: "sources" },
  },
  { method: "GET", path: "/api/sources", operation: "sources" },
  { method: "GET", path: "/api/secrets", operation: "secrets-scan", names: FILTERS },
  { method: "GET", path: "/api/sync", operation: "sync-status" },
  { method: "GET", path: "/api/tags", operation: "tags" },
  { method: "POST", path: "/api/tags", operation: "tag", tells: "tagged" },
  { method: "GET", path: "/api/board", operation: "board-list", names: { repo: "repository" } },
  { method: "POST", path: "/api/board", operation: "board-add" },
  { method: "PUT", path: "/api/board/{name}", operation: "board-edit" },
  { method: "POST", path: "/api/board/get", operation: "board-get" },
  { method: "POST", path: "/api/board/prune", operation: "board-prune" },
  { method: "POST", path: "/api/board/consolidate", operation: "board-consolidate" },
  { method: "POST", path: "/api/board/undo", operation: "board-undo" },
  { method: "GET", path: "/api/history", operation: "history" },
  { method: "GET", path: "/api/index", operation: "index-state" },
  { method: "GET", path: "/api/settings", operation: "config" },
  { method: "PUT", path: "/api/settings", operation: "config-set" },
  { method: "GET", path: "/api/chats", operation: "chats" },
  { method: "GET", path: "/api/chats/{id}", operation: "chat" },
  { method: "PUT", path: "/api/chats/{id}", operation: "chat-rename" },
  { method: "DELETE", path: "/api/chats/{id}", operation: "chat-delete" },
  { method: "POST", path: "/api/chats/{id}/restore", operation: "chat-restore" },
  { method: "GET", path: "/api/plans/{fingerprint}/vendor-rows", operation: "preview-vendor-rows" },
  { method: "GET", path: "/api/jobs", operation: "jobs" },
  { method: "POST", path: "/api/jobs", operation: "job-start" },
  { method: "DELETE", path: "/api/jobs/{job}", operation: "job-cancel" },
  { method: "POST", path: "/api/blockers", operation: "blockers" },
  { method: "POST", path: "/api/backups/verify", operation: "verify-backups" },
  { method: "POST", path: "/api/backups/repair", operation: "repair-backups" },
  { method: "POST", path: "/api/backups/confirm", operation: "confirm" },
  { method: "POST", path: "/api/backups/prune", operation: "prune" },
  { method: "POST", path: "/api/copilot-store/rebuild", operation: "index-copilot" },
  { method: "POST", path: "/api/copilot-store/restore", operation: "restore-copilot" },
];

/** The changes that `POST /api/plans/{operation}` plans. */
export const PLANNED = [
  "clone",
  "fork",
  "rewind",
  "compact",
  "checkpoint-create",
  "move",
  "rename",
  "delete",
  "rescue",
  "rescue-all",
  "secrets-scrub",
  "import",
  "handoff",
  "improve",
  "undo",
  "backup-copy",
  "plan-together",
  "migrate",
] as const satisfies readonly OperationName[];

export type PlannedName = (typeof PLANNED)[number];

/** The names between braces, in their order. */
export const namesInPath = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
