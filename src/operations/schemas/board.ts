/** Items of the context board, and whose board is meant. */
import { BOARD_LIMITS } from "../../model/board/item.ts";
import type { Zod } from "../operation.ts";
import { sessionKey } from "./session.ts";

export const boardPlaceFields = (z: Zod) => ({
  repository: z
    .string()
    .exactOptional()
    .describe(
      "`owner/name` or its last part, an address, or the path of a clone (default: what the folder is a clone of)",
    ),
  branch: z
    .string()
    .exactOptional()
    .describe("a branch, or `*` for every branch (default: what is checked out in the folder)"),
});

export const everyBoard = (z: Zod) => z.boolean().describe("true means every repository and branch");

export const itemName = (z: Zod) => z.string().describe("the name of the item");

export const itemTexts = (z: Zod) => ({
  description: z
    .string()
    .exactOptional()
    .describe(
      `one line for the list, at most ${BOARD_LIMITS.description} characters (default: the first line of the content)`,
    ),
});

const evidence = (z: Zod) =>
  z.array(
    z.object({
      session: sessionKey(z).extend({ title: z.string() }),
      turn: z.int().nullable(),
    }),
  );

/** For answers whose page describes the fields elsewhere. */
export const boardItem = (z: Zod) =>
  z.object({
    repository: z.string(),
    branch: z.string(),
    source: z.string(),
    name: z.string(),
    description: z.string(),
    content: z.string(),
    readCount: z.int(),
    useCount: z.int(),
    createdAt: z.string().nullable(),
    updatedAt: z.string().nullable(),
    keptBy: z.string(),
    evidence: evidence(z),
  });

/** The same, field by field. */
export const describedItem = (z: Zod) => {
  const { shape } = boardItem(z);
  return z.object({
    ...shape,
    repository: shape.repository.describe(
      "`owner/name` on github.com, `host/path/name` elsewhere; the path of a work tree without a remote",
    ),
    branch: shape.branch.describe("`*` for every branch"),
    source: shape.source.describe("who wrote it: `user`, `agent`, or `sessions` for what was made from them"),
    content: shape.content.describe("Markdown"),
    readCount: shape.readCount.describe("how often it was asked for"),
    useCount: shape.useCount.describe("how often it was handed out with its whole board"),
    updatedAt: shape.updatedAt.describe("ISO 8601, as `createdAt`; null where its keeper does not note it"),
    keptBy: shape.keptBy.describe(
      "`rethread`, or the source whose own program keeps it: such an item is only read",
    ),
    evidence: shape.evidence.describe(
      "where what it says was said or done; `turn` is counted from 0, and null where it is about the session as a whole",
    ),
  });
};

export const proposal = (z: Zod) =>
  z.object({
    id: z.string().describe("by which it is chosen"),
    kind: z.enum(["convention", "decisions", "commands", "files"]),
    change: z.enum(["add", "update"]).describe("`update` adds to an item that is there"),
    repository: z.string(),
    branch: z.string(),
    name: z.string(),
    description: z.string(),
    content: z.string().describe("all of it, once it is written"),
    evidence: evidence(z),
  });

export const boardChange = (z: Zod) =>
  z.object({
    operation: z.string(),
    kind: z.enum(["add", "edit", "prune", "consolidate", "undo"]),
    at: z.string().describe("ISO 8601"),
    undoes: z.string().nullable(),
    undoneBy: z.string().nullable(),
    items: z.array(z.object({ repository: z.string(), branch: z.string(), name: z.string() })),
  });
