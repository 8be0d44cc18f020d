/** What `rethread board` does, action by action. */
import type { Config } from "../app/config.ts";
import type { App } from "../app/contract.ts";
import { placeWords } from "../model/board/item.ts";
import { AppError } from "../model/errors.ts";
import { shellLine, toShell } from "../model/text/shell-words.ts";
import { parseWhen } from "../model/values/when.ts";
import { boardAdd, boardEdit, boardGet, boardList } from "../operations/reports/board.ts";
import { boardConsolidate, boardPrune, boardUndo } from "../operations/reports/board-upkeep.ts";
import { plural } from "../present/text/measure.ts";
import { oneLine } from "../present/text/text.ts";
import type { Values } from "./args.ts";
import type { BOARD_ARGS } from "./commands/report/board.ts";
import { toFolder } from "./filters.ts";
import type { Output } from "./output.ts";
import {
  type BoardPage,
  boardText,
  itemsOf,
  printBoard,
  printItem,
  printProposals,
  tableOf,
} from "./print/answers/board.ts";
import { readStdinText } from "./stdin-text.ts";
import { isAgreed } from "./writing.ts";

type BoardArgs = Values<typeof BOARD_ARGS> & { readonly json: boolean };

export interface Asked {
  readonly args: BoardArgs;
  readonly app: App;
  readonly out: Output;
  readonly config: Config;
}

type Act = (asked: Asked) => Promise<number>;

/** The name of the item comes first, its text second. */
const list: Act = async ({ args, app, out, config }) => {
  if (args.name !== undefined)
    throw new AppError("usage", "board list takes no name", {
      say: "Read one item",
      remedy: { action: "board", args: { action: "get", name: args.name } },
    });
  const found = await boardList.run(app, whereIn(args, config));
  if (args.json) out.json(boardList.toJson(found, app));
  else
    for (const line of printBoard(found, { ...pageOf({ app, out, config }), asked: placeAsked(args) }))
      out.line(line);
  return 0;
};

const get: Act = async ({ args, app, out, config }) => {
  const { name, source } = args;
  const answer = await boardGet.run(app, {
    ...whereIn(args, config),
    ...(name !== undefined && { name }),
    ...(source !== undefined && { source }),
  });
  if (args.json) out.json(boardGet.toJson(answer, app));
  else if (!answer.item) out.write(`${lines(boardText(answer.list))}`);
  // Who sends it on to a file or a program wants the text alone.
  else if (!config.terminal.stdout) out.write(lines(answer.item.content));
  else for (const line of printItem(answer.item, pageOf({ app, out, config }))) out.line(line);
  return 0;
};

const add: Act = async (asked) => {
  const { args, app, out, config } = asked;
  const place = whereIn(args, config);
  const content = await contentOf(asked);
  if (content === undefined)
    throw new AppError(
      "usage",
      "board add needs a content",
      "Write it behind the name, or - to read it from stdin",
    );
  const { description, dryRun } = args;
  const written = await boardAdd.run(app, {
    ...place,
    name: nameOf(args, "add"),
    content,
    ...(description !== undefined && { description }),
    ...(dryRun && { dryRun }),
  });
  if (dryRun) {
    if (args.json) out.json(boardAdd.toJson(written, app));
    else out.line(`Would add ${told(written)}`);
    return 0;
  }
  return report(asked, boardAdd.toJson(written, app), `Added ${told(written)}`, written.operation, out);
};

const edit: Act = async (asked) => {
  const { args, app, out, config } = asked;
  const place = whereIn(args, config);
  const { description, source } = args;
  const content = await contentOf(asked);
  const written = await boardEdit.run(app, {
    ...place,
    name: nameOf(args, "edit"),
    ...(content !== undefined && { content }),
    ...(description !== undefined && { description }),
    ...(source !== undefined && { itemSource: source }),
  });
  return report(asked, boardEdit.toJson(written, app), `Changed ${told(written)}`, written.operation, out);
};

const prune: Act = async (asked) => {
  const { args, app, out, config } = asked;
  const { name, unread, olderThan } = args;
  const criteria = {
    ...whereIn(args, config),
    ...(name !== undefined && { name }),
    ...(unread && { unread }),
    ...(olderThan !== undefined && { before: parseWhen(olderThan, "start", config.now()) }),
  };
  const found = await boardPrune.run(app, { ...criteria, dryRun: true });
  const { removed, readOnly } = found;
  const page = pageOf(asked);
  const kept =
    readOnly.length === 0
      ? []
      : [`${plural(readOnly.length, "item", "items")} that other programs keep stay: ${names(readOnly)}`];
  if (args.dryRun || removed.length === 0) {
    if (args.json) out.json(boardPrune.toJson(found, app));
    else
      for (const line of [
        removed.length === 0
          ? "No item of yours matches."
          : `Would remove ${plural(removed.length, "item", "items")}:`,
        ...(removed.length === 0 ? [] : tableOf(removed, page)),
        ...kept,
      ])
        out.line(line);
    return 0;
  }
  const shown = async (): Promise<string[]> => [
    `Would remove ${plural(removed.length, "item", "items")}:`,
    ...tableOf(removed, { ...page, ...out.remarks }),
    ...kept,
  ];
  if (!args.yes && !(await isAgreed(args, out, shown, "the context board"))) return 1;
  // Just those that were shown, and none that came to match since.
  const pruned = await boardPrune.run(app, {
    items: removed.map(({ repository, branch, name: each, updatedAt }) => ({
      repository,
      branch,
      name: each,
      ...(updatedAt !== undefined && { updatedAt }),
    })),
  });
  return report(
    asked,
    boardPrune.toJson({ ...pruned, readOnly }, app),
    `Removed ${plural(pruned.removed.length, "item", "items")}: ${names(pruned.removed)}`,
    pruned.operation,
    out,
  );
};

const consolidate: Act = async (asked) => {
  const { args, app, out, config } = asked;
  const input = {
    ...whereIn(args, config),
    ...(args.since !== undefined && { since: parseWhen(args.since, "start", config.now()) }),
    ...(args.only.length > 0 && { only: args.only }),
    ...(args.apply && !args.dryRun && { apply: true }),
  };
  const answer = await out.progress("Indexing", (call) => boardConsolidate.run(app, input, call));
  const { proposals, operation } = answer;
  if (args.json) out.json(boardConsolidate.toJson(answer, app));
  else if (proposals.length === 0) out.line("Recent sessions suggest nothing that is not known already.");
  else {
    const demo = app.demo ? " --demo" : "";
    for (const line of printProposals(proposals, pageOf(asked), operation !== undefined)) out.line(line);
    out.line();
    const of = [...(args.all ? ["--all"] : []), ...(args.since === undefined ? [] : ["--since", args.since])];
    const again = (...more: string[]): string =>
      `  ${toShell(["rethread", "board", "consolidate", ...placeAsked(args), ...of, ...more])}${demo}`;
    if (operation === undefined) {
      out.line(
        `${plural(proposals.length, "proposal", "proposals")}; nothing was written. To add ${proposals.length === 1 ? "it" : "them"}:`,
      );
      out.line(again("--apply"));
      if (proposals.length > 1) out.line(again("--only", proposals[0]?.id ?? "", "--apply"));
    } else
      out.line(
        `Wrote ${plural(proposals.length, "item", "items")}. Undo: ${shellLine`rethread undo ${operation}`}${demo}`,
      );
  }
  return 0;
};

const undo: Act = async ({ args, app, out }) => {
  const undone = await boardUndo.run(app, args.name === undefined ? {} : { operation: args.name });
  if (args.json) out.json(boardUndo.toJson(undone, app));
  else out.line(`Undone: ${undone.undoes} (${oneLine(itemsOf(undone))}) as ${undone.operation}`);
  return 0;
};

export const BOARD_ACTIONS = { list, get, add, edit, prune, consolidate, undo } as const;

const PLACE = ["repo", "branch", "everyBranch"] as const;
/** What each of them looks at. */
export const BOARD_TAKES: Readonly<Record<keyof typeof BOARD_ACTIONS, readonly (keyof typeof BOARD_ARGS)[]>> =
  {
    list: [...PLACE, "all", "name"], // of a name it says what is meant
    get: [...PLACE, "all", "name", "source"],
    add: [...PLACE, "name", "content", "description", "dryRun"],
    edit: [...PLACE, "name", "content", "description", "source"],
    prune: [...PLACE, "all", "name", "unread", "olderThan", "dryRun", "yes"],
    consolidate: [...PLACE, "all", "since", "apply", "only", "dryRun"],
    undo: ["name"],
  };

const pageOf = ({ app, out, config }: Pick<Asked, "app" | "out" | "config">): BoardPage => ({
  columns: out.columns,
  style: out.style,
  now: config.now(),
  isDemo: app.demo !== undefined,
});

function whereIn({ repo, branch, everyBranch, all }: BoardArgs, { folder, environment }: Config) {
  if (all && (repo !== undefined || branch !== undefined || everyBranch))
    throw new AppError("usage", "--all means every repository and branch", "Leave out --all, or the others");
  if (branch !== undefined && everyBranch)
    throw new AppError("usage", "--branch and --every-branch exclude each other", "Use only one of them");
  return {
    ...(repo !== undefined && { repository: toFolder(repo, folder, environment.homeDir) }),
    ...(branch !== undefined && { branch }),
    ...(everyBranch && { branch: "*" }),
    ...(all && { all }),
  };
}

const placeAsked = ({ repo, branch, everyBranch }: BoardArgs): string[] => [
  ...(repo === undefined ? [] : ["--repo", repo]),
  ...(branch === undefined ? [] : ["--branch", branch]),
  ...(everyBranch ? ["--every-branch"] : []),
];

function nameOf({ name }: BoardArgs, action: string): string {
  if (name !== undefined) return name;
  throw new AppError("usage", `board ${action} needs the name of an item`, {
    say: "For example",
    remedy: { action: "board", args: { action, name: "build-command" } },
  });
}

/** Only who says so has it read from stdin: a script that has none would wait for ever. */
const contentOf = async ({ args: { content } }: Asked): Promise<string | undefined> =>
  content === "-" ? readStdinText() : content;

const told = ({
  item,
}: {
  readonly item: Parameters<typeof placeWords>[0] & { readonly name: string };
}): string => `${oneLine(item.name)} (${oneLine(placeWords(item))})`;

const names = (items: readonly { readonly name: string }[]): string =>
  items.map(({ name }) => oneLine(name)).join(", ");

const lines = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

function report(
  { args, app }: Asked,
  json: Readonly<Record<string, unknown>>,
  sentence: string,
  operation: string | undefined,
  out: Output,
): number {
  if (args.json) out.json(json);
  else {
    out.line(sentence);
    out.note(`Undo: ${shellLine`rethread undo ${operation ?? ""}`}${app.demo ? " --demo" : ""}`);
  }
  return 0;
}
