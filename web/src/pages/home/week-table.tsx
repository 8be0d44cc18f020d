/** The weeks or days as a table: for those who do not see the plot. */
import { compact } from "../../../../src/present/text/measure.ts";
import css from "./week-plot.module.css";

export interface WeekBar {
  /** The day, or the Monday: `2026-11-02` */
  readonly start: string;
  readonly value: number;
  readonly about: string;
}

export interface Bars {
  readonly bars: readonly WeekBar[];
  readonly unit: string;
  /** That each bar is about. */
  readonly days?: 1 | 7;
}

export function WeekTable({ bars, unit, days = 7 }: Bars) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it
    <div className={css.table} tabIndex={0}>
      <table>
        <caption>
          {unit} per {days === 7 ? "week" : "day"}
        </caption>
        <thead>
          <tr>
            <th scope="col">{days === 7 ? "Week of" : "Day"}</th>
            <th scope="col">{unit}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ start, value }) => (
            <tr key={start}>
              <th scope="row">{start}</th>
              <td>{compact(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
