/** What the real Copilot CLI writes appears on open pages while it writes, and what somebody reads there does not move. */
import { afterAll, expect, it } from "vitest";
import { type Copilot, type Headless, startCopilot } from "../copilot.ts";
import { scripted } from "../scripted-model.ts";
import { shows, useWebApp } from "./app.ts";

const FIRST = "aaaaaaaa-0000-4000-8000-00000000c001";
const SECOND = "aaaaaaaa-0000-4000-8000-00000000c002";
/** Longer than a screen. */
const LONG = Array.from({ length: 60 }, (_, line) => `Line ${line} of a long answer.`).join("\n\n");

let copilot: Copilot;
let agent: Headless;
const app = useWebApp({
  async prepare() {
    copilot = await startCopilot();
    agent = await copilot.headless();
    await agent.create(FIRST);
    for (const prompt of ["Tell me all", "And more"]) await agent.say(FIRST, scripted(prompt, { say: LONG }));
    return { COPILOT_HOME: copilot.home };
  },
});
afterAll(() => copilot.close());

const conversation = () => app.page.getByTestId("conversation");
/** Where a reader sees it: rows are there a little before they are scrolled to. */
const isRead = (text: string): Promise<void> =>
  expect.poll(async () => (await says(text).boundingBox())?.y, { timeout: 10_000 }).toBeLessThan(880);
const says = (text: string) => conversation().getByText(text, { exact: true });

it("shows a new turn on demand, and leaves what is read where it is", async () => {
  const { page } = app;
  await app.go(`/s/copilot-cli:${FIRST}`);
  const read = conversation().getByText("Line 7 of").first();
  await read.waitFor();
  await page.mouse.move(700, 500);
  await page.mouse.wheel(0, 150);
  await page.waitForFunction(
    () =>
      (
        globalThis as unknown as { document: { querySelector(selector: string): { scrollTop: number } } }
      ).document.querySelector("[data-testid=conversation]").scrollTop >= 150,
  );
  const before = await read.boundingBox();
  await agent.say(FIRST, scripted("A third thing", { say: "The third answer." }));
  const notice = page.getByRole("button", { name: /^1 new turn/ });
  await shows(notice);
  expect(await read.boundingBox()).toEqual(before);
  await notice.click();
  await isRead("The third answer.");
});

it("follows at the end, from call to call, before the answer is whole", async () => {
  const call = { name: "bash", input: { command: "echo of a call", description: "Look" } };
  const saying = agent.say(
    FIRST,
    scripted("Look", { say: "Looking.", calls: [call] }, { say: "The fourth answer.", delayMs: 3000 }),
  );
  await shows(conversation().getByRole("button", { name: /echo of a call/ }));
  expect(await says("The fourth answer.").count()).toBe(0);
  await saying;
  await isRead("The fourth answer.");
});

it("lists a session that has just begun, first and in progress", async () => {
  const { page } = app;
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Sessions" }).click();
  const rows = page.getByRole("grid", { name: "Sessions" }).getByRole("row");
  await shows(rows, "Tell me all");
  await agent.create(SECOND);
  await agent.say(SECOND, scripted("Something entirely new", { say: "Indeed." }));
  await shows(rows, "Something entirely new");
  const [first] = await page.getByRole("grid", { name: "Sessions" }).getByRole("link").allTextContents();
  expect(first).toContain("Something entirely new");
});
