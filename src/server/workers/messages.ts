/** What a server and its workers say to each other. */
import type { AppConfig } from "../../app/config.ts";
import type { CallFreshness, CallProgress, IndexReport, IndexRequest } from "../../app/contract.ts";
import type { ErrorData } from "./error-data.ts";

/** What a worker is asked to do. */
export type Task =
  /** An operation with an input that its schema has let through. The answer is its JSON as text, in pieces. */
  | { readonly does: "operation"; readonly name: string; readonly input: unknown }
  /** An index run. The answer is an `IndexAnswer`. */
  | { readonly does: "index"; readonly input: IndexRequest };

export interface IndexAnswer {
  readonly report: IndexReport;
  /** What had to be said on the way. */
  readonly notices: readonly string[];
}

export type ToWorker =
  | { readonly type: "begin"; readonly config: Omit<AppConfig, "now"> }
  | { readonly type: "run"; readonly id: number; readonly task: Task; readonly freshness?: CallFreshness }
  /** Nobody waits for it any more. */
  | { readonly type: "stop"; readonly id: number };

export type FromWorker =
  | { readonly type: "progress"; readonly id: number; readonly progress: CallProgress }
  /** Of the JSON of an operation. A message of all of it would be one buffer, however long it is. */
  | { readonly type: "piece"; readonly id: number; readonly text: string }
  | {
      readonly type: "answer";
      readonly id: number;
      /** Without it, the pieces are. */
      readonly answer?: IndexAnswer;
      /** Until then it has something that is lost when it ends (in ms since 1970): plans. */
      readonly keepsUntil?: number;
    }
  | { readonly type: "failure"; readonly id: number; readonly error: ErrorData };
