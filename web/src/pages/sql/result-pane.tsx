/** What a query gave: rows, nothing, or an error in our words; with ways to take it elsewhere. */
import { CircleAlert, ClipboardCopy, Download } from "lucide-react";
import type { ReactNode } from "react";
import type { Answer } from "../../../../src/client/index.ts";
import { amount, plural } from "../../../../src/present/text/measure.ts";
import { adviceOf } from "../../change/advice.ts";
import { ApiError } from "../../lib/api.ts";
import { copyText } from "../../lib/clipboard.ts";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { describe, Skeleton, useSlow } from "../../ui/states.tsx";
import { toCsv, toJson, toMarkdown, toTsv } from "./csv.ts";
import { Grid } from "./grid.tsx";
import css from "./sql.module.css";

export interface Outcome {
  readonly answer?: Answer<"sql">;
  readonly error?: unknown;
  readonly ms: number;
  /** Each run has its own grid. */
  readonly run: number;
}

export function ResultPane({
  outcome,
  isRunning,
  welcome,
}: {
  readonly outcome: Outcome | undefined;
  readonly isRunning: boolean;
  /** What there is to know before the first query. */
  readonly welcome: ReactNode;
}) {
  const isSlow = useSlow(isRunning);
  if (!outcome)
    return isRunning ? <Skeleton rows={8} height={28} /> : <div className={css.empty}>{welcome}</div>;
  const { answer, error, ms, run } = outcome;
  if (error !== undefined) return <SqlError error={error} />;
  if (!answer) return null;
  const count = answer.rows.length;
  return (
    <section className={css.result} aria-label="Result of the query" data-stale={isSlow || undefined}>
      <header className={css.bar}>
        <span role="status">
          {plural(count, "row", "rows")} · {duration(ms)}
        </span>
        {answer.truncated && (
          <span className={css.cut}>
            There are more: this shows the first {amount(count)}. Add a WHERE or a LIMIT.
          </span>
        )}
        <span className={css.spring} />
        <Menu
          trigger={
            <Button size="small" tone="ghost" icon={<ClipboardCopy />} disabled={count === 0}>
              Copy
            </Button>
          }
          items={[
            { label: "For a spreadsheet", run: () => void copyText(toTsv(answer), "Result") },
            { label: "As Markdown", run: () => void copyText(toMarkdown(answer), "Result") },
            { label: "As JSON", run: () => void copyText(toJson(answer), "Result") },
          ]}
        />
        <Button
          size="small"
          tone="ghost"
          icon={<Download />}
          disabled={count === 0}
          onClick={() => download(toCsv(answer), "rethread-query.csv", "text/csv")}
        >
          CSV
        </Button>
      </header>
      {count === 0 ? (
        <p className={css.empty}>No rows: the query ran, and nothing matches it.</p>
      ) : (
        <Grid key={run} table={answer} />
      )}
    </section>
  );
}

function SqlError({ error }: { readonly error: unknown }) {
  const { message, code } = describe(error);
  // The command line names its own way to the tables; here they are on the left.
  const isAboutTables = error instanceof ApiError && error.remedy?.action === "sql";
  return (
    <div className={css.failure} role="alert">
      <CircleAlert className={css.alert} aria-hidden="true" />
      <div>
        <p>{message}</p>
        <p className={css.hint}>
          {isAboutTables ? "The views and tables are listed beside the editor." : adviceOf(error).words}{" "}
          <code>{code}</code>
        </p>
      </div>
    </div>
  );
}

const duration = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

function download(text: string, name: string, type: string): void {
  // Spreadsheets take UTF-8 for what it is only when the file begins with a mark.
  const url = URL.createObjectURL(new Blob(["\ufeff", text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
