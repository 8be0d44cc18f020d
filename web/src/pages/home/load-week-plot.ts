/** Loads the plot late, as it brings its library; where that does not start, there is a table. */
import { WeekTable } from "./week-table.tsx";

export async function loadWeekPlot() {
  try {
    giveLocale(navigator);
    return { default: (await import("./week-plot.tsx")).WeekPlot };
  } catch {
    return { default: WeekTable };
  }
}

/** uPlot asks `Intl` for the browser's language while it loads; that of a system without one is none, `en-US@posix`. */
export function giveLocale(browser: { readonly language: string }): void {
  try {
    Intl.getCanonicalLocales(browser.language);
  } catch {
    Object.defineProperty(browser, "language", { value: "en-US", configurable: true });
  }
}
