/** A session: read, calls opened, turns jumped to, words found, raw records seen. */
import { expect, it } from "vitest";
import { hides, shows, textOf, type WebApp } from "../app.ts";
import { LATEST, LONG, LONG_TITLE } from "./demo.ts";

export function session(app: WebApp): void {
  const turn = (index: number) =>
    app.page.getByRole("heading", { level: 2, name: `Turn ${index}`, exact: true });
  const conversation = () => app.page.getByTestId("conversation");
  /** The reader sees the head of the turn. */
  const isAt = (index: number): Promise<void> =>
    expect
      .poll(
        async () => {
          const box = await turn(index).boundingBox();
          return box !== null && box.y > 0 && box.y < 860;
        },
        { timeout: 20_000 },
      )
      .toBe(true);

  it("is read, opened in its parts, jumped in and searched by clicks", async () => {
    const { page } = app;
    await app.go(`/s/${LONG}`);
    await shows(page.getByRole("heading", { level: 1, name: LONG_TITLE }));
    await shows(conversation(), "booleans");
    const call = conversation().getByRole("button", { name: /^ok Search useState<boolean>/ });
    await call.click();
    expect(await call.getAttribute("aria-expanded")).toBe("true");
    await shows(conversation().getByRole("button", { name: "Copy result" }));
    await conversation().getByRole("button", { name: "Raw call" }).click();
    await shows(page.getByRole("dialog", { name: /^Call of/ }), '"toolCallId"');
    await page.getByRole("button", { name: "Close" }).click();
    await conversation().getByRole("button", { name: "Raw record" }).first().click();
    await shows(page.getByRole("dialog", { name: "Prompt of turn 0" }), '"user.message"');
    await page.getByRole("button", { name: "Close" }).click();

    const outline = page.getByRole("slider", { name: "Turn" });
    const box = await outline.boundingBox();
    await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 12 * 12 + 3);
    await page.mouse.down();
    await page.mouse.up();
    await isAt(12);
    await page.waitForURL(/turn=12/);

    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Find in this session" }).click();
    await page.getByRole("textbox", { name: "Find in this session" }).fill("cartChanged");
    const found = page.getByRole("search").getByRole("status");
    await shows(found, /\d+ matches/);
    await page.getByRole("button", { name: "Next match" }).click();
    await shows(found, /^\d+ of \d+$/);
  });

  it("shows its pictures, how its calls ended, and what each turn and file comes to", async () => {
    const { page } = app;
    await app.go(`/s/${LATEST}`);
    const thumbnail = conversation().getByRole("button", { name: "Open image: ci-runs.png" });
    // It is there when its pixels are, from our own server.
    await page.waitForFunction(() => {
      const { document } = globalThis as unknown as {
        document: { querySelector(selector: string): { naturalWidth: number } | null };
      };
      return document.querySelector("img[alt='ci-runs.png']")?.naturalWidth === 520;
    });
    await thumbnail.focus();
    await app.press("Enter");
    const dialog = page.getByRole("dialog", { name: "ci-runs.png" });
    await shows(dialog, /520 × 250 · PNG · 2\.8 kB/);
    expect(await dialog.getByRole("link", { name: "Download" }).getAttribute("download")).toBe("ci-runs.png");
    await app.press("Escape");
    await hides(dialog);
    expect(await thumbnail.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);

    await shows(
      conversation().getByRole("button", { name: /^failed Shell npx vitest run.*1 failed · [\d.]+ s/ }),
    );
    // The lens has counted them by now.
    await shows(
      conversation()
        .getByText(/^\d+ tokens$/)
        .first(),
    );
    const files = page.getByRole("complementary", { name: "About this session" });
    await shows(files.getByRole("listitem").filter({ hasText: "too-many-requests.ts" }), /\+\d+−0/);
    const answer = conversation().locator("[data-kind=text]").first();
    await answer.hover();
    await answer.getByRole("button", { name: "Raw record" }).click();
    await shows(page.getByRole("dialog", { name: "Answer in turn 0" }), '"assistant.message"');
    await app.press("Escape");
  });

  it("is read at the turn of its address, and by keys alone", async () => {
    const { page, press } = app;
    await app.go(`/s/${LONG}?turn=7`);
    await isAt(7);
    await press("]");
    await isAt(8);
    await page.waitForURL(/turn=8/);
    await press("[", "[");
    await isAt(6);
    await press("End");
    await isAt(18);
    await press("Home");
    await isAt(0);
    await press("o");
    await shows(conversation().getByRole("button", { name: "Copy result" }));
    await press("Control+f");
    await app.type("untypable");
    const found = page.getByRole("search").getByRole("status");
    await shows(found, "1 match");
    await press("Enter");
    await shows(found, "1 of 1");
    await isAt(2);
    await press("Escape");
    await hides(found);
    await press("y");
    await shows(page.getByText(/Link copied/i));
    await press("e");
    await shows(page.getByRole("dialog", { name: /Export/ }));
    await press("Escape");
    await press("Enter");
    await shows(page.getByText("Continue in Copilot CLI"));
    expect(await textOf(page.locator("code").filter({ hasText: "--resume" }))).toContain(LONG.split(":")[1]);
    await press("Escape");
  });

  it("offers no change that its source does not declare, and says why", async () => {
    const { page, press } = app;
    const [found] = (
      await app.server.api<{ sources: { source: string; cannot: { change: string; why: string }[] }[] }>(
        "/api/sources",
      )
    ).sources.flatMap(({ source, cannot }) =>
      cannot.filter(({ change }) => change === "compact").map(({ why }) => ({ source, why })),
    );
    if (!found) throw new Error("every source takes every change");
    const { sessions } = await app.server.api<{ sessions: { id: string }[] }>(
      `/api/sessions?limit=1&source=${found.source}`,
    );
    await app.go(`/s/${found.source}:${sessions[0]?.id}`);
    const compact = page.getByRole("button", { name: `Compact : ${found.why}` });
    await shows(compact);
    expect(await compact.getAttribute("aria-disabled")).toBe("true");
    await compact.click({ force: true });
    await shows(page.getByRole("status"), found.why);
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("button", { name: "Dismiss" }).click();
    await press("p");
    await shows(page.getByRole("status"), found.why);
    expect(await page.getByRole("dialog").count()).toBe(0);
    await page.getByRole("button", { name: "Dismiss" }).click();
  });
}
