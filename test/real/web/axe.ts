/** What axe finds on a page that would keep people from using it. */
import { join } from "node:path";
import type { Page } from "./browser.ts";

/** A script for the browser itself: the pages take none but their own. */
export const AXE = join(import.meta.dirname, "../node_modules/axe-core/axe.min.js");

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
}

/** What would keep people from using the page, with the places where it is; of a dialog, not of what is behind it. */
export async function serious(page: Page): Promise<string[]> {
  const violations = await page.evaluate(async () => {
    const { axe, document } = globalThis as unknown as {
      axe: { run(within: unknown, options: object): Promise<{ violations: Violation[] }> };
      document: { querySelector(selector: string): unknown };
    };
    const within = document.querySelector("[role=dialog]") ?? document;
    return (await axe.run(within, { resultTypes: ["violations"], preload: false })).violations;
  });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 5).map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
    );
}

export const setTheme = (page: Page, theme: "light" | "dark"): Promise<void> =>
  page.evaluate((name: string) => {
    const { document } = globalThis as unknown as {
      document: { documentElement: { dataset: Record<string, string> } };
    };
    document.documentElement.dataset.theme = name;
  }, theme);
