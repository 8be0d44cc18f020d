/** All tools, in the order in which they are listed. A new one is a file in tools/ and a row here. */
import type { AnyTool } from "./tool.ts";
import apply from "./tools/apply.ts";
import blame from "./tools/blame.ts";
import boardAdd from "./tools/board-add.ts";
import boardGet from "./tools/board-get.ts";
import boardPrune from "./tools/board-prune.ts";
import brief from "./tools/brief.ts";
import context from "./tools/context.ts";
import plan from "./tools/plan.ts";
import read from "./tools/read.ts";
import search from "./tools/search.ts";
import sessionStoreSql from "./tools/session-store-sql.ts";
import sessions from "./tools/sessions.ts";
import standup from "./tools/standup.ts";
import where from "./tools/where.ts";

export const TOOLS: readonly AnyTool[] = [
  search,
  read,
  where,
  sessions,
  standup,
  blame,
  boardGet,
  brief,
  context,
  sessionStoreSql,
  boardAdd,
  boardPrune,
  plan,
  apply,
];
