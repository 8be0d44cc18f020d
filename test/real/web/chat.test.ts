/** A conversation with the real Copilot CLI by clicks: the server is killed in mid-answer, and nothing is lost or said twice. */
import { copyFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { CLAUDE } from "../../bridge/home.ts";
import { type Copilot, programPath, startCopilot } from "../copilot.ts";
import { isChat, messagesSent } from "../openai.ts";
import { scripted } from "../scripted-model.ts";
import { hides, shows, useWebApp } from "./app.ts";

let copilot: Copilot;
const app = useWebApp({
  async prepare({ vars }) {
    copilot = await startCopilot();
    const bin = join(vars.HOME ?? "", "bin");
    mkdirSync(bin);
    symlinkSync(programPath(), join(bin, "copilot"));
    copyFileSync(CLAUDE, join(bin, "claude"));
    const own = Object.entries(copilot.env).filter(([name]) => /^(COPILOT_|XDG_|NODE_COMPILE)/.test(name));
    return { ...(Object.fromEntries(own) as Record<string, string>), PATH: `${bin}:${process.env.PATH}` };
  },
});
afterAll(() => copilot.close());

const answers = () => app.page.getByRole("article", { name: "Copilot CLI" });
const message = () => app.page.getByRole("textbox", { name: "Message" });
/** By keys, once the answer before is over. */
async function say(text: string): Promise<void> {
  await message().fill(text);
  await app.page.getByRole("button", { name: "Send", exact: true }).waitFor();
  await message().press("Enter");
}
/** What the model was last asked: people's and its own words, without scripts and times. */
const heard = (): string[] => {
  const request = copilot.model.requests.filter(isChat).at(-1);
  return (request ? messagesSent(request) : []).map(({ text }) =>
    text.replace(/<current_datetime>.*?<\/current_datetime>\s*/s, "").replace(/ SCRIPT\[.*/s, ""),
  );
};
const asked = (): number => copilot.model.requests.filter(isChat).length;

it("answers, survives a server that is killed in mid-answer, and goes on", async () => {
  const { page } = app;
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Chat" }).click();
  await page.getByRole("combobox", { name: "Folder" }).fill(copilot.workspace);
  await message().fill(scripted("First", { say: "One." }));
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await shows(answers(), "One.");
  expect(heard()).toEqual(["First"]);

  await say(scripted("Second", { say: "never heard", delayMs: 60_000 }));
  await expect.poll(asked, { timeout: 60_000 }).toBe(2);
  await app.kill();
  await shows(answers(), "The server is gone. What came so far is kept");
  await app.restart();
  await hides(page.getByText("The server is gone."));
  await shows(answers(), "Interrupted");
  expect(await answers().count()).toBe(2);
  // Nothing is sent anew by itself: not by the page, and not by the server.
  expect(asked()).toBe(2);

  await say(scripted("Third", { say: "Three." }));
  await shows(answers(), "Three.");
  expect(asked()).toBe(3);
  expect(heard().filter((text) => !/^(First|One\.|Second|Third)$/.test(text))).toEqual([]);
  expect(heard().join(" ")).toMatch(/^First One\. (Second )?Third$/);
  const said = await page.getByRole("article", { name: "You" }).allTextContents();
  expect(said.map((text) => text.split(" ")[0])).toEqual(["First", "Second", "Third"]);
});

it("is there again on another day, and leads to the session that Copilot CLI keeps", async () => {
  const { page } = app;
  await page.reload();
  await shows(answers(), "Three.");
  await page.getByRole("link", { name: "Open the session" }).click();
  await shows(page.getByTestId("conversation"), "Three.");
  expect(app.address()).toMatch(/^\/s\/copilot-cli:/);
});

it("takes another title, and is deleted and brought back without a change to Copilot CLI's session", async () => {
  const { page } = app;
  await page.goBack();
  const list = page.getByRole("navigation", { name: "Conversations" });
  const more = list.getByRole("button", { name: /^More about/ });
  await more.click({ force: true });
  await page.getByRole("menuitem", { name: "Rename…" }).click();
  await page.getByRole("textbox", { name: "Title" }).fill("Counting");
  await page.getByRole("textbox", { name: "Title" }).press("Enter");
  await shows(list.getByRole("link", { name: /^Counting/ }));
  await shows(page.getByRole("heading", { level: 2, name: "Counting" }));
  await more.click({ force: true });
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await shows(list, "No conversation yet.");
  expect(app.address()).toBe("/chat");
  const sessions = await app.server.api<{ total: number }>("/api/sessions");
  expect(sessions.total).toBe(1);
  await page.getByRole("button", { name: "Undo" }).click();
  await list.getByRole("link", { name: /^Counting/ }).click();
  await shows(answers(), "Three.");
});

it("talks to the agent that is chosen, where there are two, and remembers the choice", async () => {
  const { page } = app;
  await page.getByRole("link", { name: "New", exact: true }).click();
  await page.getByRole("radio", { name: "Claude Code" }).check();
  await page.getByRole("combobox", { name: "Folder" }).fill(copilot.workspace);
  await say("Hello");
  await shows(page.getByRole("article", { name: "Claude Code" }), "Heard 1: Hello");
  await shows(page.getByRole("article", { name: "Claude Code" }), "$0.25");
  await page.getByRole("link", { name: "New", exact: true }).click();
  await shows(page.getByRole("heading", { name: "Talk to Claude Code from here" }));
});
