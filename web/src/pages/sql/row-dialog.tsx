/** One row of a result with all of its values in full. */
import { Copy } from "lucide-react";
import { useEffect, useRef } from "react";
import { amount } from "../../../../src/present/text/measure.ts";
import { copyText } from "../../lib/clipboard.ts";
import { clean } from "../../text/clean.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { Table } from "./csv.ts";
import css from "./row-dialog.module.css";

/** A value may be megabytes; the page shows this much, and copies all. */
const SHOWN = 100_000;

export function RowDialog({
  table,
  row,
  column,
  onMove,
  onClose,
}: {
  readonly table: Table;
  readonly row: number;
  /** The value that was asked for is the first one seen. */
  readonly column: number;
  readonly onMove: (row: number) => void;
  readonly onClose: () => void;
}) {
  const asked = useRef<HTMLDivElement>(null);
  useEffect(() => asked.current?.scrollIntoView({ block: "nearest" }), []);
  const values = table.rows[row] ?? [];
  return (
    <Dialog
      title={`Row ${amount(row + 1)} of ${amount(table.rows.length)}`}
      size="large"
      onClose={onClose}
      footer={
        <>
          <Button disabled={row === 0} onClick={() => onMove(row - 1)}>
            Previous
          </Button>
          <Button disabled={row >= table.rows.length - 1} onClick={() => onMove(row + 1)}>
            Next
          </Button>
        </>
      }
    >
      <dl>
        {table.columns.map((name, at) => {
          const value = values[at] ?? null;
          const text = value === null ? "NULL" : String(value);
          return (
            <div
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
              key={at}
              ref={at === column ? asked : undefined}
              className={css.field}
            >
              <dt className={css.label}>
                {name}
                {value !== null && (
                  <IconButton label={`Copy ${name}`} onClick={() => void copyText(text, name)}>
                    <Copy />
                  </IconButton>
                )}
              </dt>
              <dd className={css.value} data-null={value === null || undefined}>
                {clean(text.slice(0, SHOWN))}
                {text.length > SHOWN && (
                  <em>… {amount(text.length - SHOWN)} more characters; Copy has all of them</em>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </Dialog>
  );
}
