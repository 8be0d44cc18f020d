/** The context lens: a budget set by keys dims what it would cut, and the clone's plan says the same. */
import { expect, it } from "vitest";
import { shows, textOf, type WebApp } from "../app.ts";
import { LONG } from "./demo.ts";

export function lens(app: WebApp): void {
  const dimmed = () => app.page.locator("[data-fate=cut], [data-fate=dropped]");
  const region = () => app.page.getByRole("region", { name: "What fills the context" });

  it("shows what a budget would cut, as the plan of a clone then says", async () => {
    const { page, press } = app;
    await app.go(`/s/${LONG}`);
    const handle = region().getByRole("slider", { name: "Budget in tokens" });
    await handle.waitFor();
    expect(await dimmed().count()).toBe(0);
    await handle.focus();
    await press("PageDown", "PageDown", "PageDown", "PageDown", "PageDown", "ArrowLeft");
    await shows(dimmed());
    const figures = region().locator("[title*='→']");
    await shows(figures);
    const [, before = "", after = ""] =
      /^([\d,]+) → ([\d,]+) tokens$/.exec((await figures.getAttribute("title")) ?? "") ?? [];
    const words = await textOf(region().locator("p").filter({ hasText: /^At/ }));
    expect([before, after].map(toNumber)).toEqual([expect.any(Number), expect.any(Number)]);
    expect(toNumber(after)).toBeLessThan(toNumber(before));

    await page.getByRole("button", { name: /^Clone at/ }).click();
    const plan = page.getByRole("dialog").getByRole("region", { name: "What will happen" });
    const tokens = plan.locator("dl > div").filter({ hasText: "Tokens" });
    await tokens.locator("b").waitFor();
    const planned = [tokens.locator("dd span[title]"), tokens.locator("b")].map((each) =>
      each.getAttribute("title"),
    );
    expect(await Promise.all(planned)).toEqual([before, after]);
    const rows = await plan.locator("tbody tr").allTextContents();
    expect(rows.length).toBeGreaterThan(1);
    const sums = await ledgerOf(plan);
    for (const [name, count] of [
      ["shortened", sums.shortened],
      ["dropped", sums.dropped],
    ] as const)
      if (count > 0) expect(words).toContain(`${count} ${name}`);
    expect(sums.shortened + sums.dropped).toBeGreaterThan(0);
    await press("Escape");
    await handle.focus();
    await press("Escape");
    await expect.poll(() => dimmed().count(), { timeout: 20_000 }).toBe(0);
  });

  it("lists what fills the context, largest first, and leads there", async () => {
    const { page } = app;
    await region().getByRole("button", { name: "List by size" }).click();
    const list = page.getByRole("list", { name: /passages, largest first/ });
    const first = list.getByRole("button").first();
    await first.waitFor();
    await region()
      .getByRole("button", { name: /^edit: / })
      .click();
    await shows(region(), "Only edit");
    await list.getByRole("button").last().click();
    await page.waitForURL(/turn=\d+/);
  });
}

const toNumber = (text: string): number => Number(text.replaceAll(",", ""));

/** What the plan's table says of calls, texts and thinking together. */
async function ledgerOf(
  plan: ReturnType<WebApp["page"]["locator"]>,
): Promise<{ shortened: number; dropped: number }> {
  const rows = plan.locator("tbody tr").filter({ hasText: /^(Tool calls|Texts|Thinking)/ });
  const sum = async (column: number): Promise<number> =>
    (await rows.locator(`td:nth-of-type(${column})`).allTextContents()).reduce(
      (all, each) => all + toNumber(each),
      0,
    );
  return { shortened: await sum(2), dropped: await sum(3) };
}
