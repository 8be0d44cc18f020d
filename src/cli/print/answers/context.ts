/** Prints the messages that a model would receive, as a table or in full, and where the tokens go. */
import type { ContextReport, CountedMessage, TokenShare } from "../../../app/contract.ts";
import { formatKey } from "../../../model/values/id.ts";
import type { Page } from "../../../present/page.ts";
import { titleOf } from "../../../present/text/facts.ts";
import { amount, bar, plural } from "../../../present/text/measure.ts";
import type { Paint, Style } from "../../../present/text/style.ts";
import { cut, oneLine, pad, plain, wrap } from "../../../present/text/text.ts";
import { toTable } from "../terminal/table.ts";
import { problemLines } from "./problems.ts";

type Row = CountedMessage & { readonly number: number };

export function printContext(report: ContextReport, full: boolean, page: Page): string[] {
  const { style, columns } = page;
  const rows = report.messages.map((message, number) => ({ ...message, number }));
  const total = `${plural(report.messages.length, "message", "messages")}, about ${plural(report.tokens, "token", "tokens")}`;
  return [
    ...wrap(titleOf(report.session), columns).map(style.bold),
    style.dim(cut(formatKey(report.session), columns)),
    "",
    ...(full ? rows.flatMap((row) => wholeMessage(row, page)) : table(rows, page)),
    "",
    ...wrap(`On resume the model receives ${total} (not counting the system prompt).`, columns),
    ...(report.shares.length > 0 ? ["", ...shareLines(report, page)] : []),
    ...(report.problems.length > 0
      ? [
          "",
          ...wrap(
            "The session is damaged. Its program drops or repairs the following, or refuses to resume:",
            columns,
          ),
          ...problemLines(report.problems, columns, style),
        ]
      : []),
  ];
}

function table(rows: readonly Row[], { style, columns }: Page): string[] {
  if (rows.length === 0) return [style.dim("No messages.")];
  return toTable(
    rows,
    [
      { head: "#", align: "right", text: (row) => String(row.number), paint: () => style.dim },
      { head: "ROLE", text: (row) => row.role, paint: (row) => rolePaint(row, style) },
      { head: "TOKENS", align: "right", text: (row) => amount(row.tokens) },
      { head: "TEXT", text: gist, paint: (row) => (row.madeUp ? style.dim : (text) => text), min: 16 },
    ],
    columns,
    style.dim,
  );
}

/** What the message says, and the tools it calls. */
function gist(row: Row): string {
  const calls = (row.toolCalls ?? []).map((call) =>
    oneLine(`→ ${call.name} ${JSON.stringify(call.arguments) ?? ""}`),
  );
  const text = oneLine(row.text.slice(0, 400));
  const thinking =
    row.thinking && text === "" && calls.length === 0 ? `… ${oneLine(row.thinking.slice(0, 400))}` : "";
  const failed = row.isError ? "failed: " : "";
  return failed + [text, thinking, ...calls].filter(Boolean).join("  ");
}

function wholeMessage(row: Row, { style, columns }: Page): string[] {
  const lines = (text: string): string[] =>
    text === ""
      ? []
      : plain(text)
          .split("\n")
          .flatMap((line) => wrap(line, columns));
  const title = [
    `${row.number} ${row.role}`,
    plural(row.tokens, "token", "tokens"),
    row.toolCallId ?? "",
    row.madeUp ? "added by the program" : "",
    row.isError ? "failed" : "",
  ];
  return [
    rolePaint(row, style)(style.bold(cut(`── ${oneLine(title.filter(Boolean).join(" · "))} `, columns))),
    ...lines(row.thinking ?? "").map(style.dim),
    ...lines(row.text),
    ...(row.toolCalls ?? []).flatMap((call) =>
      lines(`→ ${call.name} (${call.id}) ${JSON.stringify(call.arguments, null, 2) ?? ""}`).map(style.cyan),
    ),
    "",
  ];
}

const rolePaint = (row: Row, style: Style): Paint =>
  row.madeUp ? style.dim : { user: style.green, assistant: style.blue, tool: style.yellow }[row.role];

const NAMES: Record<TokenShare["kind"], string> = {
  prompts: "prompts",
  answers: "answers",
  thinking: "thinking",
  "tool-calls": "tool calls",
  "tool-results": "results",
  "made-up": "added by the program",
};

/** Small shares are combined, because the plot is about where most tokens go. */
const MOST_SHARES = 9;

function shareLines(report: ContextReport, { style, columns }: Page): string[] {
  const rows = report.shares
    .slice(0, MOST_SHARES)
    .map((share) => ({ name: shareName(share), tokens: share.tokens }));
  const rest = report.shares.slice(MOST_SHARES);
  if (rest.length > 0)
    rows.push({
      name: `${rest.length} smaller ones`,
      tokens: rest.reduce((sum, share) => sum + share.tokens, 0),
    });
  const nameWidth = Math.min(
    Math.max(...rows.map((row) => row.name.length)),
    Math.max(12, Math.floor(columns / 3)),
  );
  const plotWidth = Math.min(40, columns - nameWidth - 18);
  const most = Math.max(1, ...rows.map((row) => row.tokens));
  return rows.map(({ name, tokens }) => {
    const percent = report.tokens === 0 ? 0 : Math.round((tokens / report.tokens) * 100);
    const plot = plotWidth < 4 ? "" : `  ${style.cyan(pad(bar(tokens / most, plotWidth), plotWidth))}`;
    return `${pad(cut(name, nameWidth), nameWidth)}  ${amount(tokens).padStart(9)}${plot} ${style.dim(`${percent}%`.padStart(4))}`;
  });
}

const shareName = (share: TokenShare): string =>
  share.tool === undefined ? NAMES[share.kind] : `${oneLine(share.tool)} ${NAMES[share.kind]}`;
