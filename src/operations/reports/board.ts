/** The context board: listing, reading, adding and editing items. */
import { BOARD_LIMITS } from "../../model/board/item.ts";
import { toBoardItemJson, toBoardListJson, toBoardWriteJson } from "../../present/json/board.ts";
import { defineOperation, type Zod } from "../operation.ts";
import {
  boardItem,
  boardPlaceFields,
  describedItem,
  everyBoard,
  itemName,
  itemTexts,
} from "../schemas/board.ts";

const listFields = (z: Zod) => ({
  items: z
    .array(describedItem(z))
    .describe("by repository, branch and name; what holds on every branch first"),
  repository: z.string().nullable().describe("whose board it is; null for all there are"),
  branch: z.string().nullable().describe("null for all branches"),
  others: z.int().describe("how many items are on other boards"),
});

export const boardList = defineOperation({
  name: "board-list",
  kind: "question",
  summary: "List the items of the context board: what is worth knowing about a repository and branch",
  input: (z) => z.strictObject({ ...boardPlaceFields(z), all: everyBoard(z).exactOptional() }),
  output: (z) => z.object(listFields(z)),
  run: async (app, input, call) => (await app.board()).list(input, call),
  toJson: toBoardListJson,
});

/** A change because it is counted: what models ask for is kept, and what nobody asks for can be pruned. */
export const boardGet = defineOperation({
  name: "board-get",
  kind: "change",
  summary: "Read an item of the context board, or all of a board to hand it to an agent; either is counted",
  input: (z) =>
    z.strictObject({
      ...boardPlaceFields(z),
      all: everyBoard(z).exactOptional(),
      name: itemName(z).exactOptional().describe("the item; without it, all of the board"),
      source: z.string().exactOptional().describe("who wrote it, where several items have that name"),
    }),
  output: (z) =>
    z.object({
      item: boardItem(z).exactOptional().describe("the one that was named"),
      items: z.array(boardItem(z)).describe("that one, or all of the board when none was named"),
    }),
  async run(app, { name, source, ...place }, call) {
    const board = await app.board();
    return name === undefined
      ? { list: await board.handOut(place, call), item: undefined }
      : {
          item: await board.get(
            { ...place, name, ...(source !== undefined && { itemSource: source }) },
            call,
          ),
        };
  },
  toJson: ({ item, list }) => ({
    ...(item && { item: toBoardItemJson(item) }),
    items: (list?.items ?? (item ? [item] : [])).map(toBoardItemJson),
  }),
});

const write = (z: Zod) =>
  z.object({ operation: z.string().describe("for `undo`"), item: boardItem(z).describe("as it is now") });
const addition = (z: Zod) =>
  z.object({
    operation: z.string().nullable().describe("for `undo`; null for a dry run"),
    item: boardItem(z).describe("as it is now, or would be"),
  });

const by = (z: Zod) => z.enum(["user", "agent"]).describe("who writes it (default: user)");

export const boardAdd = defineOperation({
  name: "board-add",
  kind: "change",
  summary: "Add an item to the context board of a repository; texts with secrets are refused",
  input: (z) =>
    z.strictObject({
      ...boardPlaceFields(z),
      name: z
        .string()
        .describe(`letters, digits, dots, - and _, at most ${BOARD_LIMITS.name}; unique on its board`),
      content: z.string().describe(`Markdown, at most ${BOARD_LIMITS.content} characters`),
      ...itemTexts(z),
      source: by(z).exactOptional(),
      dryRun: z.boolean().exactOptional().describe("true writes nothing, and says what would be added"),
    }),
  output: addition,
  run: async (app, input, call) => (await app.board()).add(input, call),
  toJson: toBoardWriteJson,
});

export const boardEdit = defineOperation({
  name: "board-edit",
  kind: "change",
  summary: "Change an item of the context board; one that another program keeps becomes one of ours",
  input: (z) =>
    z.strictObject({
      ...boardPlaceFields(z),
      name: itemName(z),
      content: z.string().exactOptional().describe("the new content (default: as it is)"),
      description: z.string().exactOptional().describe("the new description (default: as it is)"),
      itemSource: z.string().exactOptional().describe("who wrote it, where several items have that name"),
      source: by(z).exactOptional(),
      updatedAt: z
        .string()
        .exactOptional()
        .describe("of the item as you read it; refused when it was changed since"),
    }),
  output: write,
  run: async (app, input, call) => (await app.board()).edit(input, call),
  toJson({ operation, item }) {
    if (operation === undefined) throw new Error("an edit is written");
    return { ...toBoardWriteJson({ operation, item }), operation };
  },
});
