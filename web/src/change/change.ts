/** Which change the dialog is open for; any view may open it. */
import { createStore } from "../lib/store.ts";

export type ChangeKind =
  | "clone"
  | "fork"
  | "rewind"
  | "compact"
  | "checkpoint-create"
  | "move"
  | "rename"
  | "delete"
  | "rescue"
  | "rescue-all"
  | "import"
  | "handoff"
  | "undo"
  | "backup-copy";

export interface ChangeRequest {
  readonly kind: ChangeKind;
  /** `source:id`; several for move, delete and rescue. */
  readonly sessions: readonly string[];
  /** What the form starts with, as the operation's input has it: `at`, `to`, `budget`, `operation`, `source` … */
  readonly input?: Readonly<Record<string, unknown>>;
  /** For the heading, where it is known. */
  readonly title?: string;
}

export const change = createStore<ChangeRequest | undefined>(undefined);

/** Focus goes back to what opened it when the dialog closes. */
export const openChange = (request: ChangeRequest): void => change.set(request);
export const closeChange = (): void => change.set(undefined);
