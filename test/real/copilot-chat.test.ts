/** Conversations with the real Copilot CLI: whatever happens to either process, the model hears every message once. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Copilot, programPath, startCopilot } from "./copilot.ts";
import { isChat, messagesSent } from "./openai.ts";
import { scripted } from "./scripted-model.ts";

vi.setConfig({ testTimeout: 120_000 });

let copilot: Copilot;
beforeAll(async () => {
  copilot = await startCopilot();
});
afterAll(() => copilot.close());

const data = (): string => join(copilot.home, "..", "data");
const start = (words: readonly string[], program = programPath()): ChildProcess =>
  spawn(
    process.execPath,
    [join(import.meta.dirname, "../../src/cli/main.ts"), "chat", ...words, "--json", "--copilot", program],
    {
      cwd: copilot.workspace,
      env: { ...copilot.env, RETHREAD_HOME: data(), HOME: data() },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );

interface Sent {
  readonly session: { readonly id: string };
  readonly cliSession: string;
  readonly answer: string;
  readonly notices: readonly string[];
}

async function send(chat: string | undefined, text: string, program?: string): Promise<Sent> {
  const child = start([...(chat === undefined ? [] : [chat]), "--send", text], program);
  let told = "";
  child.stdout?.on("data", (piece) => {
    told += piece;
  });
  await once(child, "close");
  const sent = JSON.parse(told);
  if (sent.error) throw new Error(JSON.stringify(sent.error));
  return sent;
}

/** What people and the model had said when the model was last asked, the new message included. */
const heard = (): [string, string][] => {
  const request = copilot.model.requests.filter(isChat).at(-1);
  return (request ? messagesSent(request) : []).map(({ role, text }) => [role, plainly(text)]);
};
/** Without the time that the program puts in front, and without the script behind. */
const plainly = (text: string): string =>
  text.replace(/<current_datetime>.*?<\/current_datetime>\s*/s, "").replace(/ SCRIPT\[.*/s, "");

const tell = (text: string, answer: string): string => scripted(text, { say: answer });

describe("a conversation", () => {
  it("survives our process being killed in the middle of an answer", async () => {
    const { session } = await send(undefined, tell("First", "One."));
    await send(session.id, tell("Second", "Two."));
    copilot.model.clear();
    const child = start([session.id, "--send", scripted("Third", { say: "never heard", delayMs: 60_000 })]);
    await expect.poll(() => copilot.model.requests.some(isChat), { timeout: 60_000 }).toBe(true);
    child.kill("SIGKILL");
    await once(child, "close");
    copilot.model.clear();
    const next = await send(session.id, tell("Fourth", "Four."));
    expect(next.notices).toEqual(["The last answer was interrupted"]);
    expect(heard()).toEqual([
      ["user", "First"],
      ["assistant", "One."],
      ["user", "Second"],
      ["assistant", "Two."],
      ["user", "Third"],
      ["user", "Fourth"],
    ]);
  });

  it("keeps its context when the program has lost the session", async () => {
    const { session, cliSession } = await send(undefined, tell("Remember the word lantern", "I will."));
    rmSync(join(copilot.home, "session-state", cliSession), { recursive: true });
    const next = await send(session.id, tell("Which word?", "lantern"));
    expect(next.notices).toHaveLength(1);
    expect(next.cliSession).not.toBe(cliSession);
    expect(heard()).toEqual([
      ["user", "Remember the word lantern"],
      ["assistant", "I will."],
      ["user", "Which word?"],
    ]);
  });
});

it("mixes no conversations when many go on at once", async () => {
  // Each message names its conversation; the model is asked once for each, with nothing of the others.
  const [sessions, messages] = process.env.RETHREAD_FULL ? [20, 10] : [4, 3];
  copilot.model.clear();
  await Promise.all(
    Array.from({ length: sessions }, async (_, number) => {
      let chat: string | undefined;
      for (let message = 0; message < messages; message++) {
        const sent = await send(
          chat,
          tell(`topic-${number} message-${message}`, `topic-${number} answer-${message}`),
        );
        chat = sent.session.id;
        expect(sent.answer).toBe(`topic-${number} answer-${message}`);
      }
    }),
  );
  const requests = copilot.model.requests
    .filter(isChat)
    .map((request) => messagesSent(request).map(({ text }) => plainly(text)));
  expect(requests).toHaveLength(sessions * messages);
  for (const texts of requests) {
    const topics = new Set(texts.map((text) => text.split(" ")[0]));
    expect(topics.size).toBe(1);
    expect(texts.filter((text) => text.includes("message-")).map((text) => text.split(" ")[1])).toEqual(
      Array.from({ length: (texts.length + 1) / 2 }, (_, message) => `message-${message}`),
    );
  }
});

describe("an older program", () => {
  /** The real one, but it knows nothing of ids and records. */
  const older = (): string => {
    const path = join(copilot.home, "..", "older-copilot");
    writeFileSync(
      path,
      `#!/bin/sh
for word in "$@"; do
  case "$word" in
    --session-id*|--output-format*|--stream*) echo "unknown option $word" >&2; exit 2;;
    --help) "${programPath()}" --help | grep -v -e --session-id -e --output-format -e --stream; exit 0;;
  esac
done
exec "${programPath()}" "$@"
`,
    );
    chmodSync(path, 0o755);
    return path;
  };
  const rival = (number: number, cwd: string, created: Date): string => {
    const id = `dddddddd-0000-4000-8000-${String(number).padStart(12, "0")}`;
    const folder = join(copilot.home, "session-state", id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "events.jsonl"), "{}\n");
    writeFileSync(
      join(folder, "workspace.yaml"),
      `id: ${id}\ncwd: ${cwd}\ncreated_at: ${created.toISOString()}\n`,
    );
    utimesSync(join(folder, "events.jsonl"), created, created);
    return id;
  };

  it("has the right session found among two hundred, or none", async () => {
    const now = Date.now();
    for (let number = 0; number < 200; number++)
      rival(number, number < 3 ? copilot.workspace : `/elsewhere/${number}`, new Date(now - number * 1000));
    const before = new Set(readdirSync(join(copilot.home, "session-state")));
    const { session, cliSession } = await send(undefined, tell("Old but gold", "Indeed."), older());
    expect(before.has(cliSession)).toBe(false);
    expect(readFileSync(copilot.log(cliSession), "utf8")).toContain("Old but gold");
    await send(session.id, tell("And now?", "Still."), older());
    expect(heard()).toEqual([
      ["user", "Old but gold"],
      ["assistant", "Indeed."],
      ["user", "And now?"],
    ]);
  });
});
