/** Every operation by its name, loaded when it is asked for. */
import type { AnyOperation } from "./operation.ts";

type Load = () => Promise<AnyOperation>;

export const OPERATIONS = {
  overview: async () => (await import("./overview.ts")).overview,
  list: async () => (await import("./list.ts")).list,
  search: async () => (await import("./search.ts")).search,
  context: async () => (await import("./context.ts")).context,
  checkpoints: async () => (await import("./checkpoints.ts")).checkpoints,
  checkpoint: async () => (await import("./checkpoints.ts")).checkpoint,
  diff: async () => (await import("./diff.ts")).diff,
  tree: async () => (await import("./tree.ts")).tree,
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
} as const satisfies Readonly<Record<string, Load>>;

export type OperationName = keyof typeof OPERATIONS;

export const loadOperations = (): Promise<AnyOperation[]> =>
  Promise.all(Object.values<Load>(OPERATIONS).map((load) => load()));
