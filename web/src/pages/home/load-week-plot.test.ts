import { expect, it } from "vitest";
import { giveLocale } from "./load-week-plot.ts";

it("replaces only a language that libraries cannot format with", () => {
  for (const [language, given] of [
    ["en-US@posix", "en-US"],
    ["de-AT", "de-AT"],
  ] as const) {
    const browser = Object.create({ language });
    giveLocale(browser);
    expect(browser.language).toBe(given);
    expect(() => new Intl.NumberFormat(browser.language)).not.toThrow();
  }
});
