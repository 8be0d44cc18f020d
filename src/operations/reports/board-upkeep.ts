/** Keeping the context board short and up to date: pruning, proposals from sessions, and undoing either. */
import { toBoardChangeJson, toConsolidatedJson, toPrunedItemsJson } from "../../present/json/board.ts";
import { defineOperation } from "../operation.ts";
import {
  boardChange,
  boardItem,
  boardPlaceFields,
  everyBoard,
  itemName,
  proposal,
} from "../schemas/board.ts";
import { moment } from "../schemas/inputs.ts";

export const boardPrune = defineOperation({
  name: "board-prune",
  kind: "change",
  summary:
    "Remove items from the context board: by name, by age, or those that nobody has read; can be undone",
  input: (z) =>
    z.strictObject({
      ...boardPlaceFields(z),
      all: everyBoard(z).exactOptional(),
      name: z
        .string()
        .min(1)
        .exactOptional()
        .describe("items whose name is like this: * and ? stand for letters"),
      unread: z.boolean().exactOptional().describe("true means items that were never read"),
      before: moment(z).exactOptional().describe("items that were last changed before then"),
      items: z
        .array(
          z.strictObject({
            repository: z.string(),
            branch: z.string(),
            name: itemName(z),
            updatedAt: z.string().exactOptional().describe("refused when it was changed since"),
          }),
        )
        .exactOptional()
        .describe("exactly these, instead of all that match"),
      dryRun: z.boolean().exactOptional().describe("true only says what would be removed"),
    }),
  output: (z) =>
    z.object({
      operation: z.string().nullable().describe("for `undo`; null when nothing was removed"),
      removed: z.array(boardItem(z)).describe("or those that would be"),
      readOnly: z.array(boardItem(z)).describe("items that match, too, and that another program keeps"),
    }),
  run: async (app, input, call) => (await app.board()).prune(input, call),
  toJson: toPrunedItemsJson,
});

export const boardConsolidate = defineOperation({
  name: "board-consolidate",
  kind: "change",
  summary:
    "Propose items from recent sessions: conventions that were stated, decisions in checkpoints, commands that worked, files often changed",
  input: (z) =>
    z.strictObject({
      ...boardPlaceFields(z),
      all: everyBoard(z).exactOptional(),
      since: moment(z).exactOptional().describe("sessions that were active since then (default: 90 days)"),
      apply: z.boolean().exactOptional().describe("true writes them; by default nothing is written"),
      only: z.array(z.string()).exactOptional().describe("only the proposals with these ids"),
    }),
  output: (z) =>
    z.object({
      operation: z.string().nullable().describe("for `undo`; null when nothing was written"),
      proposals: z.array(proposal(z)).describe("what is proposed, or was written"),
      repository: z.string().nullable().describe("null for all repositories"),
      since: z.string().describe("ISO 8601"),
    }),
  run: async (app, input, call) => (await app.board()).consolidate(input, call),
  toJson: toConsolidatedJson,
});

export const boardUndo = defineOperation({
  name: "board-undo",
  kind: "change",
  summary: "Undo a change of the context board",
  input: (z) =>
    z.strictObject({
      operation: z
        .string()
        .min(1)
        .exactOptional()
        .describe("the change, as `history` names it; without it, the last one that was not undone"),
    }),
  output: boardChange,
  run: async (app, { operation }, call) => (await app.board()).undo(operation, call),
  toJson: toBoardChangeJson,
});
