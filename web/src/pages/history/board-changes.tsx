/** Changes of the context board, each with the way back. */
import { Link } from "@tanstack/react-router";
import { plural } from "../../../../src/present/text/measure.ts";
import type { HistoryAnswer } from "../../change/writes.ts";
import { clean } from "../../text/clean.ts";
import { Button } from "../../ui/button.tsx";
import { Badge } from "../../ui/marks.tsx";
import { Time } from "../../ui/time.tsx";
import { undoChange } from "../board/use-board.ts";
import css from "./history.module.css";

type BoardChange = HistoryAnswer["board"][number];

const WORDS = {
  add: "Added",
  edit: "Changed",
  prune: "Removed",
  consolidate: "Took over from sessions",
  undo: "Undid a change of",
} as const satisfies Record<BoardChange["kind"], string>;

export function BoardChanges({ changes }: { readonly changes: readonly BoardChange[] }) {
  if (changes.length === 0) return null;
  return (
    <section className={css.jobs} aria-label="Changes of the board">
      <details>
        <summary>
          {plural(changes.length, "change", "changes")} of the <Link to="/board">context board</Link>
        </summary>
        <ul className={css.writes}>
          {changes.map((change) => (
            <li key={change.operation} className={css.job}>
              <div className={css.jobWords}>
                <span>
                  {WORDS[change.kind]} <b>{change.items.map(({ name }) => clean(name)).join(", ")}</b>
                </span>
                <span className={css.sub}>
                  <Time at={change.at} />
                  <code>{change.operation}</code>
                  <span>{clean(change.items[0]?.repository ?? "")}</span>
                </span>
              </div>
              {change.undoneBy === null ? (
                <Button size="small" onClick={() => void undoChange(change.operation)}>
                  Undo
                </Button>
              ) : (
                <Badge>undone</Badge>
              )}
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
}
