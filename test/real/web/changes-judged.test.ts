/** Changes made by clicks on sessions of the real programs, judged by those: VS Code's loader opens them, Copilot CLI resumes them. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { toKeyValueDb } from "../../../src/platform/sqlite/key-value-db.ts";
import { lookAtAll } from "../../edit/home.ts";
import { lookAtUser } from "../../edit/vscode-home.ts";
import { startLookalike } from "../../lookalike.ts";
import { type Copilot, startCopilot } from "../copilot.ts";
import { MUTATIONS, seeded, soundLines } from "../copilot-rescue-mutations.ts";
import { scripted } from "../scripted-model.ts";
import { type CorpusStore, writeStore } from "../vscode-corpus.ts";
import { TOOL_CHATS } from "../vscode-corpus-tools.ts";
import { isSound, type JudgedSession, judgeWorkspace } from "../vscode-judge.ts";
import { hides, shows, textOf, useWebApp } from "./app.ts";

const LONG = "aaaaaaaa-0000-4000-8000-00000000b001";
const DAMAGED = "aaaaaaaa-0000-4000-8000-00000000b002";
/** A workspace of VS Code without chats. */
const ELSEWHERE = "fedcba9876543210fedcba9876543210";
const [TITLE = "", CHAT] = Object.entries(TOOL_CHATS)[0] ?? [];

let copilot: Copilot;
let store: CorpusStore;
let user: string;
const app = useWebApp({
  async prepare({ vars }) {
    copilot = await startCopilot();
    await talk();
    const damaged = MUTATIONS["one record written into another"]?.(soundLines(DAMAGED), seeded(1));
    copilot.write(DAMAGED, damaged ?? "");
    user = dirname(vars.VSCODE_STORAGE_PATH ?? "");
    store = await writeStore(user, "saved", CHAT ? { [TITLE]: CHAT } : {});
    const elsewhere = join(user, "workspaceStorage", ELSEWHERE);
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, "workspace.json"), '{"folder":"file:///srv/elsewhere"}');
    writeFileSync(join(elsewhere, "state.vscdb"), toKeyValueDb("ItemTable", { other: "kept" }));
    return { COPILOT_HOME: copilot.home };
  },
});
afterAll(() => copilot.close());

/** Three turns with the real program: a file made, a command that fails, a question. */
async function talk(): Promise<void> {
  const headless = await copilot.headless();
  await headless.create(LONG);
  const create = { name: "create", input: { path: join(copilot.workspace, "a.txt"), file_text: "hello\n" } };
  const fail = { name: "bash", input: { command: "exit 3", description: "fail" } };
  await headless.say(LONG, scripted("Make a file", { calls: [create] }, { say: "Made." }));
  await headless.say(LONG, scripted("Run it", { calls: [fail] }, { say: "It failed." }));
  await headless.say(LONG, scripted("What now?", { say: "We stop." }));
  await headless.close();
}

const dialog = () => app.page.getByRole("dialog");
/** Waits until it was written. */
const done = (words: string): Promise<void> =>
  shows(dialog().getByRole("heading", { name: words, exact: true }));
/** What was written, by what the result says. */
const newId = async (): Promise<string> =>
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(
    await textOf(app.page.getByRole("status").filter({ hasText: /cloned|forked/ })),
  )?.[0] ?? "";

describe("a chat of VS Code", () => {
  const id = (): string => store.sessions.get(TITLE) ?? "";
  const judged = async (folder: string): Promise<JudgedSession[]> => {
    const { sessions, indexAccepted } = await judgeWorkspace(folder);
    expect(indexAccepted).toBe(true);
    return [...sessions];
  };
  const refusals = (): number =>
    app.watched.failures.filter((failure) => /^409 POST \/api\/plans\/\w+\/apply$/.test(failure)).length;
  const lock = (): string => join(dirname(user), "code.lock");

  it("is cloned to another workspace on the clone page, and VS Code opens the clone", async () => {
    const { page } = app;
    const [original] = await judged(store.folder);
    await app.go(`/clone?session=${id()}&workspace=${basename(store.folder)}`);
    await shows(page.locator("#workspace-selector"), "Target Workspace");
    const target = page.locator("#target-workspace");
    expect(await textOf(target.locator("option").first())).toBe("Same as source");
    await target.selectOption(ELSEWHERE);
    await page.getByRole("button", { name: "Clone", exact: true }).click();
    await shows(page.locator("#vscode-hint"), "If VS Code is open, you may need to restart it");
    const clone = await newId();
    await shows(page.getByText(`${ELSEWHERE}/chatSessions/${clone}.jsonl`));
    const elsewhere = await judged(join(user, "workspaceStorage", ELSEWHERE));
    expect(elsewhere).toMatchObject([{ id: clone, listed: true, turns: original?.turns }]);
    expect(elsewhere.every(isSound)).toBe(true);
    expect(await judged(store.folder)).toEqual([original]);
  });

  it("is not cloned while VS Code runs, but when it was closed and tried again", async () => {
    const { page } = app;
    const editor = startLookalike("code");
    writeFileSync(lock(), String(editor.pid));
    const before = lookAtUser(user);
    await app.go(`/s/vscode:${id()}`);
    await page.getByRole("button", { name: "Clone…" }).click();
    await shows(dialog().getByRole("alert"), `VS Code is running (process ${editor.pid})`);
    const clone = dialog().getByRole("button", { name: /^Clone/ });
    await clone.click();
    await shows(dialog().getByRole("alert"), "vscode-running");
    expect(refusals()).toBe(1);
    await dialog().getByRole("button", { name: "Try again" }).click();
    await expect.poll(refusals).toBe(2);
    expect(await dialog().getByRole("link", { name: "Download instead" }).getAttribute("href")).toContain(
      "format=vscode",
    );
    expect(lookAtUser(user)).toEqual(before);
    rmSync(lock());
    await editor.end();
    await dialog().getByRole("button", { name: "Try again" }).click();
    await done("Session cloned successfully!");
    const made = await newId();
    expect((await judged(store.folder)).filter(isSound).map((each) => each.id)).toContain(made);
  });

  it("is cloned by itself when VS Code closes", async () => {
    const { page } = app;
    const editor = startLookalike("code");
    writeFileSync(lock(), String(editor.pid));
    const before = (await judged(store.folder)).length;
    await app.go(`/s/vscode:${id()}`);
    await app.press("c");
    await dialog().getByRole("button", { name: "Do it when VS Code closes" }).click();
    await done("It waits for VS Code to close");
    await dialog().getByRole("button", { name: "Done" }).click();
    await hides(dialog());
    await app.leap("w");
    await shows(page.getByRole("region", { name: "Changes in the background" }), /waits for VS Code/);
    expect(await judged(store.folder)).toHaveLength(before);
    rmSync(lock());
    await editor.end();
    await shows(page.getByText(/made or ended in the background/));
    const after = await judged(store.folder);
    expect([after.length, after.every(isSound)]).toEqual([before + 1, true]);
  });
});

describe("a session of Copilot CLI", () => {
  /** Whoever reads the program's own index leaves a trace in what SQLite shares. */
  const look = (): object => ({ ...lookAtAll(copilot.home), "session-store.db-shm": undefined });

  it("is forked at a turn, and the program goes on from there", async () => {
    const { page } = app;
    const whole = (await copilot.resume(LONG, { byCommand: false })).messages ?? [];
    await app.go(`/s/copilot-cli:${LONG}?turn=1`);
    const turn = page
      .locator('[data-turn="1"]')
      .filter({ has: page.getByRole("heading", { name: "Turn 1" }) });
    await turn.hover();
    await turn.getByRole("button", { name: "Fork here" }).click();
    await shows(dialog().getByRole("option", { name: /Run it/ }));
    await dialog().getByRole("button", { name: /^Fork/ }).click();
    await done("Session forked");
    const fork = await newId();
    await dialog().getByRole("link", { name: "Open the new session" }).click();
    await page.waitForURL(new RegExp(fork));
    const { code, messages, stderr } = await copilot.resume(fork, { byCommand: true });
    const next = whole.findIndex(({ text }) => text.includes("What now?"));
    expect({ code, messages }, stderr).toEqual({ code: 0, messages: whole.slice(0, next) });
    expect(next).toBeGreaterThan(4);
  });

  it("is repaired in the doctor, resumed by the program, and undone in the history to the byte", async () => {
    const { page } = app;
    const headless = await copilot.headless();
    const before = look();
    const damaged = readFileSync(copilot.log(DAMAGED));
    await app.go("/doctor");
    await page
      .getByRole("button", { name: /^Repair… Prompt 0/ })
      .first()
      .click();
    await shows(dialog().getByRole("heading", { name: "Repairs" }));
    await dialog()
      .getByRole("button", { name: /^Repair/ })
      .click();
    await done("Repaired");
    await dialog().getByRole("button", { name: "Done" }).click();
    await hides(page.getByRole("button", { name: /^Repair… Prompt 0/ }));
    expect(readFileSync(copilot.log(DAMAGED)).equals(damaged)).toBe(false);
    const { messages } = await copilot.resume(DAMAGED, { byCommand: false });
    expect(messages).toHaveLength(16);

    await page.getByRole("navigation").getByRole("link", { name: "History" }).click();
    await page.getByRole("button", { name: /^Undo: Repaired/ }).click();
    await dialog().getByRole("button", { name: "Undo", exact: true }).click();
    await done("Undone");
    expect(look()).toEqual(before);
    await headless.close();
  });
});
