/** Sessions that an application keeps on the hub, judged by the real Copilot CLI behind its own SDK. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openRethread, type Rethread } from "../../src/app/library.ts";
import { type HubSessions, openHubSessions } from "../../src/hub/provider/contract.ts";
import { folderOf } from "../../src/hub/provider/places.ts";
import { newAccount, urlOf } from "../hub/account.ts";
import { newHub, type TestHub } from "../hub/cluster.ts";
import { type Copilot, startCopilot } from "./copilot.ts";
import { isChat, messagesSent, type SentMessage } from "./openai.ts";
import type { Order, ProviderApp } from "./provider-app.ts";
import { scripted } from "./scripted-model.ts";

let hub: TestHub;
let copilot: Copilot;
let sessions: HubSessions;
let rethread: Rethread;
let folder: string;
let place: { readonly url: string; readonly token: string };

beforeAll(async () => {
  hub = await newHub();
  copilot = await startCopilot();
  folder = mkdtempSync(join(tmpdir(), "rethread-provider-"));
  const { token } = await newAccount(hub);
  place = { url: urlOf(hub), token };
  sessions = await openHubSessions(place);
  rethread = await openRethread({ sessions, vars: { RETHREAD_HOME: join(folder, "rethread") } });
});
afterAll(async () => {
  await sessions.close();
  await copilot.close();
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly ok: boolean;
  readonly error?: string;
}

interface Machine {
  readonly home: string;
  readonly child: ChildProcess;
  tell(order: Order): Promise<Answer>;
  say(prompt: string): Promise<Answer>;
  end(): Promise<void>;
}

/** A process of the application, with an empty home as on a machine of its own. */
function startMachine(sessionId: string): Machine {
  const home = mkdtempSync(join(folder, "home-"));
  const workspace = join(folder, "work");
  mkdirSync(workspace, { recursive: true });
  const app: ProviderApp = { ...place, model: copilot.model.url, home, workspace, sessionId };
  const child = spawn(process.execPath, [join(import.meta.dirname, "provider-app.ts"), JSON.stringify(app)], {
    env: copilot.env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const machine: Machine = {
    home,
    child,
    async tell(order) {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      const { value, done } = await lines.next();
      return done ? { ok: false, error: "ended" } : (JSON.parse(value) as Answer);
    },
    say: (prompt) => machine.tell({ do: "say", prompt }),
    async end() {
      child.stdin.write('{"do":"end"}\n');
      await ended;
    },
  };
  return machine;
}

const lastSent = (): SentMessage[] => {
  const request = copilot.model.requests.filter(isChat).at(-1);
  return request ? messagesSent(request) : [];
};

/** What `rethread context` says that the model would receive. */
async function context(id: string): Promise<SentMessage[]> {
  const { messages } = await rethread.context(id);
  return messages.map(({ role, text, toolCalls, toolCallId }) => ({
    role,
    text,
    ...(toolCalls && { toolCalls: [...toolCalls] }),
    ...(toolCallId !== undefined && { toolCallId }),
  }));
}

const log = async (id: string): Promise<string> =>
  Buffer.from(await sessions.fs.read(`${folderOf(id)}/events.jsonl`)).toString();

describe("a session on the hub", () => {
  const id = randomUUID();

  it("is made on one machine, and continued on another with all it knows", async () => {
    const one = startMachine(id);
    expect(await one.tell({ do: "create" })).toEqual({ ok: true });
    await one.say(
      scripted(
        "Look around",
        {
          say: "Looking.",
          calls: [{ name: "bash", input: { command: "echo $((6 * 7))", description: "count" } }],
        },
        { say: "It is 42." },
      ),
    );
    await one.say(
      scripted(
        "Plan it",
        {
          calls: [
            {
              name: "sql",
              input: {
                description: "Add a todo",
                query: "INSERT INTO todos (id, title, status) VALUES ('round', 'Round once', 'pending')",
              },
            },
          ],
        },
        { say: "Planned." },
      ),
    );
    expect(await one.tell({ do: "disconnect" })).toEqual({ ok: true });
    await one.end();
    // Of the session itself nothing is on that machine.
    expect(readdirSync(one.home)).not.toContain("session-state");

    const two = startMachine(id);
    expect(await two.tell({ do: "resume" })).toEqual({ ok: true });
    const told = await context(id);
    await two.say(
      scripted(
        "What is left to do?",
        { calls: [{ name: "sql", input: { description: "List", query: "SELECT title FROM todos" } }] },
        { say: "Round once." },
      ),
    );
    const sent = copilot.model.requests.filter(isChat).at(-2);
    expect(told.map(({ role }) => role)).toEqual(
      "user assistant tool assistant user assistant tool assistant".split(" "),
    );
    expect(sent && messagesSent(sent).slice(0, -1)).toEqual(told);
    expect(lastSent().at(-1)?.text).toContain("Round once");
    await two.tell({ do: "disconnect" });
    await two.end();
  });

  it("is compacted on a third, and its checkpoint is there as well", async () => {
    const three = startMachine(id);
    await three.tell({ do: "resume" });
    expect(await three.tell({ do: "compact" })).toEqual({ ok: true });
    await three.tell({ do: "disconnect" });
    await three.end();
    const told = await context(id);
    const names = (await sessions.fs.readdir(`${folderOf(id)}/checkpoints`)).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(1);
    const four = startMachine(id);
    await four.tell({ do: "resume" });
    await four.say("Go on");
    expect(lastSent().slice(0, -1)).toEqual(told);
    // Nobody else changes it meanwhile.
    const edit = await rethread.edit();
    const before = await log(id);
    const { fingerprint } = await edit.planRewind(id, { to: 0 });
    await expect(edit.apply(fingerprint)).rejects.toMatchObject({
      code: "session-busy",
      message: expect.stringContaining(`is being written by app ${four.child.pid}`),
    });
    expect(await log(id)).toBe(before);
    await four.tell({ do: "disconnect" });
    await four.end();
  });

  it("is forked, rewound, compacted and undone by rethread, and the program continues each with what rethread says", async () => {
    const edit = await rethread.edit();
    const apply = async (plan: { readonly fingerprint: string }) => edit.apply(plan.fingerprint);
    const fork = (await apply(await edit.planFork(id, { at: 1 }))).plan.session.id;
    const rewound = (await apply(await edit.planClone(id, {}))).plan.session.id;
    await apply(await edit.planRewind(rewound, { to: 1 }));
    const compacted = (await apply(await edit.planFork(id, { at: 2 }))).plan.session.id;
    await apply(await edit.planCompact(compacted, { keep: 1 }));
    const before = await log(id);
    const rewind = await apply(await edit.planRewind(id, { to: 0 }));
    expect(await log(id)).not.toBe(before);
    await apply(await edit.planUndo(rewind.operation));
    expect(await log(id)).toBe(before);

    const five = startMachine(id);
    const roles: string[] = [];
    for (const sessionId of [fork, rewound, compacted, id]) {
      const told = await context(sessionId);
      expect(await five.tell({ do: "resume", sessionId })).toEqual({ ok: true });
      const seen = copilot.model.requests.length;
      await five.say(
        scripted(
          "What is left to do?",
          { calls: [{ name: "sql", input: { description: "List", query: "SELECT title FROM todos" } }] },
          { say: "We shall see." },
        ),
      );
      const first = copilot.model.requests.slice(seen).find(isChat);
      expect(first && messagesSent(first).slice(0, -1)).toEqual(told);
      roles.push(told.map(({ role }) => role).join(" "));
      // A copy has the database of its original, a fork begins with an empty one.
      const isEmpty = sessionId === fork || sessionId === compacted;
      expect(lastSent().at(-1)?.text.includes("Round once")).toBe(!isEmpty);
      await five.tell({ do: "disconnect" });
    }
    await five.end();
    const twoTurns = "user assistant tool assistant user assistant tool assistant";
    const oneTurn = "user assistant tool assistant";
    expect(roles).toEqual([twoTurns, twoTurns, `user ${oneTurn}`, "user user assistant"]);
  });
});

describe("two programs on one session", () => {
  it("are kept apart: the second is refused, or takes over, and then nothing of the first lands", async () => {
    const id = randomUUID();
    const [one, two] = [startMachine(id), startMachine(id)];
    await one.tell({ do: "create" });
    await one.say("First");
    expect(await two.tell({ do: "take", steal: false })).toMatchObject({
      ok: false,
      error: expect.stringContaining(`is being written by app ${one.child.pid}`),
    });
    expect(await two.tell({ do: "take", steal: true })).toEqual({ ok: true });
    expect(await two.tell({ do: "resume" })).toEqual({ ok: true });
    await two.say("Second");
    const before = await log(id);
    await one.say("Late");
    await one.tell({ do: "disconnect" });
    expect(await log(id)).toBe(before);
    await two.say("Third");
    await two.tell({ do: "disconnect" });
    const after = await log(id);
    expect(after.startsWith(before)).toBe(true);
    expect(after).not.toContain("Late");
    expect(
      (await context(id)).filter(({ role }) => role === "user").map(({ text }) => /\w+$/.exec(text)?.[0]),
    ).toEqual(["First", "Second", "Third"]);
    await Promise.all([one.end(), two.end()]);
  });

  it("lose no whole record and keep no half one when the first is killed while it writes", async () => {
    const id = randomUUID();
    const one = startMachine(id);
    await one.tell({ do: "create" });
    await one.say("First");
    const size = (await log(id)).length;
    void one.say(scripted("Long", { say: "x".repeat(20_000) }, { say: "Never." })).catch(() => undefined);
    await expect
      .poll(async () => (await log(id)).length, { interval: 1, timeout: 60_000 })
      .toBeGreaterThan(size);
    one.child.kill("SIGKILL");
    const lines = (await log(id)).split("\n");
    expect(lines.pop()).toBe("");
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    const two = startMachine(id);
    await two.tell({ do: "take", steal: true });
    expect(await two.tell({ do: "resume" })).toEqual({ ok: true });
    const told = await context(id);
    await two.say("Go on");
    expect(lastSent().slice(0, -1)).toEqual(told);
    await two.tell({ do: "disconnect" });
    await two.end();
  });
});
