/** Every operation by its name, loaded when it is asked for. */
import type { AnyOperation } from "./operation.ts";

type Load = () => Promise<AnyOperation>;

export const OPERATIONS = {
  overview: async () => (await import("./overview.ts")).overview,
  list: async () => (await import("./list.ts")).list,
  search: async () => (await import("./search.ts")).search,
  show: async () => (await import("./show.ts")).show,
  page: async () => (await import("./page.ts")).page,
  "last-prompt": async () => (await import("./last-prompt.ts")).lastPrompt,
  context: async () => (await import("./context.ts")).context,
  checkpoints: async () => (await import("./checkpoints.ts")).checkpoints,
  checkpoint: async () => (await import("./checkpoints.ts")).checkpoint,
  diff: async () => (await import("./diff.ts")).diff,
  tree: async () => (await import("./tree.ts")).tree,
  workspaces: async () => (await import("./workspaces.ts")).workspaces,
  stats: async () => (await import("./stats.ts")).stats,
  "stats-by": async () => (await import("./stats.ts")).statsBy,
  sql: async () => (await import("./sql.ts")).sql,
  schema: async () => (await import("./sql.ts")).schema,
  doctor: async () => (await import("./doctor.ts")).doctor,
  launch: async () => (await import("./launch.ts")).launch,
  chats: async () => (await import("./chats.ts")).chats,
  history: async () => (await import("./history.ts")).history,
  "verify-backups": async () => (await import("./history.ts")).verifyBackups,
  "repair-backups": async () => (await import("./history.ts")).repairBackups,
  confirm: async () => (await import("./history.ts")).confirm,
  prune: async () => (await import("./history.ts")).prune,
  clone: async () => (await import("./clone.ts")).clone,
  fork: async () => (await import("./fork.ts")).fork,
  rewind: async () => (await import("./rewind.ts")).rewind,
  compact: async () => (await import("./compact.ts")).compact,
  "checkpoint-create": async () => (await import("./compact.ts")).checkpointCreate,
  move: async () => (await import("./move.ts")).move,
  rename: async () => (await import("./rename.ts")).rename,
  delete: async () => (await import("./delete.ts")).deleteSession,
  rescue: async () => (await import("./rescue.ts")).rescue,
  "rescue-all": async () => (await import("./rescue.ts")).rescueAll,
  import: async () => (await import("./import.ts")).importSessions,
  undo: async () => (await import("./undo.ts")).undo,
  "backup-copy": async () => (await import("./undo.ts")).backupCopy,
  "preview-vendor-rows": async () => (await import("./apply.ts")).previewVendorRows,
  blockers: async () => (await import("./when-closed.ts")).blockers,
  "job-start": async () => (await import("./jobs.ts")).jobStart,
  "job-cancel": async () => (await import("./jobs.ts")).jobCancel,
  apply: async () => (await import("./apply.ts")).apply,
  migrate: async () => (await import("./migrate.ts")).migrate,
  "apply-migration": async () => (await import("./migrate.ts")).applyMigration,
  index: async () => (await import("./index-store.ts")).indexStore,
  watch: async () => (await import("./index-store.ts")).watch,
  "index-copilot": async () => (await import("./index-copilot.ts")).indexCopilot,
  "restore-copilot": async () => (await import("./index-copilot.ts")).restoreCopilot,
  export: async () => (await import("./export.ts")).exportFiles,
  "export-bundle": async () => (await import("./export.ts")).exportBundle,
  "export-transcript": async () => (await import("./export.ts")).exportTranscript,
  "chat-send": async () => (await import("./chats.ts")).chatSend,
} as const satisfies Readonly<Record<string, Load>>;

export type OperationName = keyof typeof OPERATIONS;

export const loadOperations = (): Promise<AnyOperation[]> =>
  Promise.all(Object.values<Load>(OPERATIONS).map((load) => load()));
