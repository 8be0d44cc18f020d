/** Prints a conversation's tool calls and notices, and the list of conversations. */
import type { BridgeEvent, ChatList, ChatRecord, Finished } from "../../../app/contract.ts";
import { formatKey, shortId } from "../../../model/values/id.ts";
import type { Page } from "../../../present/page.ts";
import { commandText } from "../../../present/text/command-text.ts";
import { briefly, plural } from "../../../present/text/measure.ts";
import { cut, oneLine, wrap } from "../../../present/text/text.ts";
import { toTable } from "./table.ts";

/** What is shown of events that are no text; nothing of most. */
export function besideLines(event: BridgeEvent, { style, columns }: Page): string[] {
  if (event.kind === "tool" && event.state === "began")
    return [
      style.dim(
        cut(`· ${oneLine(event.name)}${event.says === undefined ? "" : `  ${oneLine(event.says)}`}`, columns),
      ),
    ];
  if (event.kind === "tool" && event.state === "failed")
    return [style.yellow(cut(`· ${oneLine(event.name)} failed: ${oneLine(event.says ?? "")}`, columns))];
  if (event.kind === "notice")
    return wrap(oneLine(event.text), columns).map(event.isError ? style.red : style.dim);
  return [];
}

/** How an answer ended, where that is not by being whole. A complaint of the program has been shown already. */
export function endLines(
  { state, reason }: Finished,
  complaint: string | undefined,
  { style, columns }: Page,
): string[] {
  if (state === "whole") return [];
  const isSaid = reason === undefined || reason === complaint;
  const line =
    state === "cancelled" ? "(cancelled)" : isSaid ? "(no answer)" : `(no answer: ${oneLine(reason)})`;
  return wrap(line, columns).map(style.yellow);
}

export function greeting(
  { id, title, workspace, messages }: ChatRecord,
  agent: string,
  elsewhere: readonly string[],
  { style, columns }: Page,
): string[] {
  const what =
    messages.length === 0
      ? "A new conversation"
      : `${cut(`"${oneLine(title)}`, columns - 12)}", ${plural(messages.length, "message", "messages")}`;
  return [
    style.bold(what),
    style.dim(cut(`${shortId(id)} · ${agent} · ${oneLine(workspace)}`, columns)),
    ...elsewhere.flatMap((line) => wrap(line, columns).map(style.yellow)),
    style.dim("End a line with \\ to continue it. Ctrl-C cancels an answer, Ctrl-D quits."),
    "",
  ];
}

/** From another folder, it may be that another conversation is meant. */
export const elsewhereLine = ({ id, workspace }: ChatRecord, isDemo: boolean): string =>
  `This conversation continues in ${oneLine(workspace)}. To move it here: ${commandText(["chat", shortId(id), "--workspace", "."], isDemo)} To start a new one here: ${commandText(["chat"], isDemo)}`;

/** Nobody can be asked while the program runs, so it is said before. */
export const toolsLine = (allowsTools: boolean): string =>
  allowsTools
    ? "Tools run without asking for permission, in this folder and with your rights; --no-tools denies those that need it."
    : "Tools that need permission are denied.";

export function printChats(
  { chats, unreadable }: ChatList,
  now: Date,
  { style, columns, isDemo }: Page & { readonly isDemo: boolean },
): string[] {
  const aside = unreadable.flatMap(({ path, why }) =>
    wrap(oneLine(`Not readable (${why}): ${path}`), columns).map((line) => style.yellow(line)),
  );
  if (chats.length === 0)
    return [...aside, `No conversations yet. Start one: ${commandText(["chat"], isDemo)}`];
  return [
    ...toTable(
      chats,
      [
        { head: "ID", text: ({ id }) => shortId(id), paint: () => style.cyan },
        { head: "LAST", text: ({ updatedAt }) => briefly(updatedAt, now) },
        {
          head: "TITLE",
          text: ({ title, isUnanswered }) => `${isUnanswered ? "(no answer yet) " : ""}${oneLine(title)}`,
          min: 16,
        },
        { head: "FOLDER", text: ({ workspace }) => oneLine(workspace), min: 10, gives: 2 },
        {
          head: "SESSION",
          text: ({ source, cliSession }) =>
            cliSession === undefined ? source : formatKey({ source, id: shortId(cliSession) }),
          gives: 1,
        },
      ],
      columns,
      style.dim,
    ),
    ...aside,
    "",
    style.dim(
      `${plural(chats.length, "conversation", "conversations")}; continue one with: rethread chat <id>${isDemo ? " --demo" : ""}`,
    ),
  ];
}
