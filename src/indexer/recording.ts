/** Writes down what the indexer does with the rows of sessions, as a list that another thread can carry out. */
import type { Session } from "../model/session/session.ts";
import type {
  CheckpointRow,
  FileRow,
  RefRow,
  RowSink,
  SessionHead,
  SidecarFile,
  ToolCallRow,
  TurnRow,
  UsageRow,
} from "../store/rows.ts";
import { partsOf, turnContent } from "../store/search/index.ts";
import type { SessionStore } from "../store/session-store.ts";
import type { Indexed, SessionRows } from "./index-one.ts";

/** One call of the store, or the end of a session. */
export type Step =
  | readonly ["replace", at: number | undefined]
  | readonly ["turn", TurnRow]
  | readonly ["call", ...ToolCallCells]
  | readonly ["file", FileRow]
  | readonly ["ref", RefRow]
  | readonly ["checkpoint", CheckpointRow]
  | UsageStep
  | readonly ["sidecars", at: number | undefined]
  | readonly ["sidecar-text", SidecarFile, text: string]
  | readonly ["sidecar-checkpoint", SidecarFile, CheckpointRow]
  | readonly ["sidecar-gone", SidecarFile]
  /** `isRead` is false where the reader failed and the session is as its file tells. */
  | readonly ["finish", SessionHead, isRead: boolean]
  | readonly ["done", Indexed];

/** Of what there is most, without names. */
type ToolCallCells = [
  ToolCallRow["turn"],
  ToolCallRow["name"],
  ToolCallRow["status"],
  ToolCallRow["label"],
  ToolCallRow["resultSize"],
  ToolCallRow["subAgent"],
];

type UsageCells = [
  UsageRow["turn"],
  UsageRow["agent"],
  UsageRow["at"],
  UsageRow["subAgent"],
  UsageRow["model"],
  UsageRow["billedModel"],
  UsageRow["input"],
  UsageRow["output"],
  UsageRow["cached"],
  UsageRow["cacheWritten"],
  UsageRow["reasoning"],
  UsageRow["nanoCredits"],
  UsageRow["multiplier"],
  UsageRow["durationMs"],
  UsageRow["firstTokenMs"],
  UsageRow["firstOutputMs"],
  UsageRow["betweenTokensMs"],
  UsageRow["initiator"],
  UsageRow["endpoint"],
  UsageRow["effort"],
  UsageRow["finish"],
  UsageRow["filtered"],
  UsageRow["details"],
  UsageRow["call"],
];
type UsageStep = readonly ["usage", ...UsageCells];

/** In one piece, as a list that is spread into another costs as much as to make it. */
const toUsageStep = (row: UsageRow): UsageStep => [
  "usage",
  row.turn,
  row.agent,
  row.at,
  row.subAgent,
  row.model,
  row.billedModel,
  row.input,
  row.output,
  row.cached,
  row.cacheWritten,
  row.reasoning,
  row.nanoCredits,
  row.multiplier,
  row.durationMs,
  row.firstTokenMs,
  row.firstOutputMs,
  row.betweenTokensMs,
  row.initiator,
  row.endpoint,
  row.effort,
  row.finish,
  row.filtered,
  row.details,
  row.call,
];
const toUsageRow = (step: UsageStep): UsageRow => ({
  turn: step[1],
  agent: step[2],
  at: step[3],
  subAgent: step[4],
  model: step[5],
  billedModel: step[6],
  input: step[7],
  output: step[8],
  cached: step[9],
  cacheWritten: step[10],
  reasoning: step[11],
  nanoCredits: step[12],
  multiplier: step[13],
  durationMs: step[14],
  firstTokenMs: step[15],
  firstOutputMs: step[16],
  betweenTokensMs: step[17],
  initiator: step[18],
  endpoint: step[19],
  effort: step[20],
  finish: step[21],
  filtered: step[22],
  details: step[23],
  call: step[24],
});

/** `take` is given each step, and about how much memory it takes, in characters. */
export function createRecording(
  take: (step: Step, size: number) => void,
  isRead: (session: Session) => boolean,
): SessionRows {
  const rows: RowSink = {
    turn(row) {
      const content = turnContent(row.user, row.response ?? "");
      const parts = partsOf(content, row.more);
      take(["turn", { ...row, parts }], content.length + row.more.length + parts.length);
    },
    toolCall: ({ turn, name, status, label, resultSize, subAgent }) =>
      take(["call", turn, name, status, label, resultSize, subAgent], ROW),
    file: (row) => take(["file", row], ROW),
    ref: (row) => take(["ref", row], ROW),
    checkpoint: (row) => take(["checkpoint", row], sizeOf(row)),
    usage: (row) => take(toUsageStep(row), ROW),
  };
  const cannot = (): never => {
    throw new Error("only sessions that are read from their beginning are read in another thread");
  };
  return {
    // The store gives it a key when the rows arrive.
    idFor: ({ id }) => id,
    replace(_id, at) {
      take(["replace", at], ROW);
      return rows;
    },
    sidecars(_id, at) {
      take(["sidecars", at], ROW);
      return {
        text: (file, text) => take(["sidecar-text", file, text], text.length),
        checkpoint: (file, row) => take(["sidecar-checkpoint", file, row], sizeOf(row)),
        remove: (file) => take(["sidecar-gone", file], ROW),
      };
    },
    finish: (_id, head) => take(["finish", head, isRead(head.session)], ROW),
    stopOf: cannot,
    resume: cannot,
    noteSidecars: cannot,
    setVanished: cannot,
  };
}

const ROW = 200;
const sizeOf = ({ sections }: CheckpointRow): number =>
  Object.values(sections).reduce((sum, text) => sum + (text?.length ?? 0), ROW);

/** Carries out the steps of one session, in order. */
export function createReplay(store: SessionStore, id: string): (step: Step) => void {
  let rows: RowSink | undefined;
  let beside: ReturnType<SessionStore["sidecars"]> | undefined;
  return (step) => {
    switch (step[0]) {
      case "replace":
        rows = store.replace(id, step[1]);
        return;
      case "turn":
        return rows?.turn(step[1]);
      case "call": {
        const [, turn, name, status, label, resultSize, subAgent] = step;
        return rows?.toolCall({ turn, name, status, label, resultSize, subAgent });
      }
      case "file":
        return rows?.file(step[1]);
      case "ref":
        return rows?.ref(step[1]);
      case "checkpoint":
        return rows?.checkpoint(step[1]);
      case "usage":
        return rows?.usage(toUsageRow(step));
      case "sidecars":
        beside = store.sidecars(id, step[1]);
        return;
      case "sidecar-text":
        return beside?.text(step[1], step[2]);
      case "sidecar-checkpoint":
        return beside?.checkpoint(step[1], step[2]);
      case "sidecar-gone":
        return beside?.remove(step[1]);
      case "finish":
        return store.finish(id, step[1]);
      case "done":
        return;
    }
  };
}
