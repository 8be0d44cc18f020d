/** `rethread board`: what is worth knowing about a repository, for people and agents. */
import { BOARD_LIMITS } from "../../../model/board/item.ts";
import { boardAdd, boardEdit, boardGet, boardList } from "../../../operations/reports/board.ts";
import { boardConsolidate, boardPrune, boardUndo } from "../../../operations/reports/board-upkeep.ts";
import type { ArgSpecs } from "../../args.ts";
import { defineCommand } from "../../command.ts";
import { AGREED_ARGS } from "../../writing.ts";

const ACTIONS = ["list", "get", "add", "edit", "prune", "consolidate", "undo"] as const;

export const BOARD_ARGS = {
  action: { kind: "positional", optional: true, choices: ACTIONS, help: "what to do (default: list)" },
  name: {
    kind: "positional",
    optional: true,
    help: "the item; for `prune` also a pattern such as 'old-*'; for `undo` the operation; `get` without it prints all of the board",
  },
  content: {
    kind: "positional",
    optional: true,
    help: "the text of the item in Markdown, for `add` and `edit`; - reads it from stdin",
  },
  description: {
    kind: "text",
    value: "line",
    help: "one line for the list (default: the first line of the content)",
  },
  repo: {
    kind: "text",
    value: "name",
    completes: "repositories",
    help: "owner/name or its last part, an address, or a clone of it (default: the repository of this folder)",
  },
  branch: {
    kind: "text",
    value: "name",
    help: "a branch (default: what is checked out here; without that, every branch)",
  },
  everyBranch: { kind: "flag", help: "what holds on every branch" },
  all: { kind: "flag", help: "every repository and branch" },
  source: { kind: "text", value: "who", help: "who wrote the item, where several have that name" },
  unread: { kind: "flag", help: "with `prune`: items that were never read" },
  olderThan: {
    kind: "text",
    value: "time",
    help: "with `prune`: items not changed since then: 90d, 2026-07-01",
  },
  since: {
    kind: "text",
    value: "time",
    help: "with `consolidate`: sessions that were active since then (default: 90d)",
  },
  apply: { kind: "flag", help: "with `consolidate`: write what is proposed" },
  only: { kind: "list", value: "id", help: "with `consolidate`: only this proposal; may be repeated" },
  ...AGREED_ARGS,
} as const satisfies ArgSpecs;

export default defineCommand({
  name: "board",
  summary: "Keep what is worth knowing about a repository: the context board, for you and your agents",
  brief: "Keep what is worth knowing about a repository",
  about: `Each repository and branch has a board of short texts; \`*\` stands for every branch. Items of Copilot CLI's own board are listed with them and only read; \`edit\` makes one of your own of such an item, which then takes its place. \`get\` counts a read of the item, or a use of every item when it prints the whole board; so \`prune --unread\` finds what nobody needs. \`consolidate\` proposes items from what recent sessions say and do, each with the session and turn that shows it; it writes nothing without --apply, and never proposes the same twice. Texts with keys, passwords or tokens are refused. A name has at most ${BOARD_LIMITS.name} characters, a description ${BOARD_LIMITS.description}, a content ${BOARD_LIMITS.content.toLocaleString("en")}; a repository has at most ${BOARD_LIMITS.items} items. Every change can be undone. The items are also in the table dynamic_context_items of \`rethread sql\`.`,
  isPaged: true,
  args: BOARD_ARGS,
  examples: [
    { command: "rethread board", why: "what is known about this folder's repository and branch" },
    {
      command: "rethread board add build-command 'Build with `npm run build`' --every-branch",
      why: "note something for every branch",
    },
    { command: "rethread board edit build-command - < notes.md", why: "give it another text" },
    { command: "rethread board get > context.md", why: "all of the board as one text, for an agent" },
    {
      command: "rethread board prune --unread --older-than 90d",
      why: "see what nobody needs, and remove it",
    },
    { command: "rethread board consolidate --since 30d", why: "see what recent sessions suggest" },
  ],
  operations: [boardList, boardGet, boardAdd, boardEdit, boardPrune, boardConsolidate, boardUndo],
  json: [
    { when: "`list`", schema: boardList.output },
    { when: "`get`", schema: boardGet.output },
    { when: "`add` and `edit`", schema: boardAdd.output },
    { when: "`prune`", schema: boardPrune.output },
    { when: "`consolidate`", schema: boardConsolidate.output },
    { when: "`undo`", schema: boardUndo.output },
  ],
  async run({ args, config, out, openApp }) {
    const [{ BOARD_ACTIONS, BOARD_TAKES }, { refuseOthers }] = await Promise.all([
      import("../../board-actions.ts"),
      import("../../action-args.ts"),
    ]);
    const action = ACTIONS.find((each) => each === args.action) ?? "list";
    refuseOthers(`board ${action}`, BOARD_ARGS, args, BOARD_TAKES[action]);
    return BOARD_ACTIONS[action]({ args, app: await openApp(), out, config });
  },
});
