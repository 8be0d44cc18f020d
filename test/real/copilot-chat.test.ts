/** Conversations with the real Copilot CLI: whatever happens to either process, the model hears every message once. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type ChatApp, openRethread } from "../../src/index.ts";
import { say } from "../bridge/home.ts";
import { builtCommand } from "../built.ts";
import { type Copilot, logHolds, programPath, startCopilot } from "./copilot.ts";
import { isChat, messagesSent } from "./openai.ts";
import { scripted } from "./scripted-model.ts";

/** As many as the promise speaks of: 20 conversations with 10 messages each, which take minutes. */
const IS_FULL = process.env.RETHREAD_FULL === "1";
vi.setConfig({ testTimeout: IS_FULL ? 3_600_000 : 180_000 });

let copilot: Copilot;
let vars: NodeJS.ProcessEnv;
beforeAll(async () => {
  copilot = await startCopilot();
  const data = join(copilot.home, "..", "data");
  vars = { ...copilot.env, RETHREAD_HOME: data, HOME: data };
});
afterAll(() => copilot.close());

/** As after a restart: nothing is remembered but what is on disk. */
const restart = async (program = programPath()): Promise<ChatApp> =>
  (await openRethread({ vars, folder: copilot.workspace })).chat({ program });
const tell = (text: string, answer: string): string => scripted(text, { say: answer });

/** What people and the model had said when the model was last asked, the new message included. */
const heard = (): [string, string][] => {
  const request = copilot.model.requests.filter(isChat).at(-1);
  return (request ? messagesSent(request) : []).map(({ role, text }) => [role, plainly(text)]);
};
/** Without the time that the program puts in front, and without the script behind. */
const plainly = (text: string): string =>
  text.replace(/<current_datetime>.*?<\/current_datetime>\s*/s, "").replace(/ SCRIPT\[.*/s, "");

/** Sends a message that is never answered, and kills our process once the model was asked and this holds. */
async function killWhileAnswering(id: string, text: string, holds: () => boolean): Promise<void> {
  copilot.model.clear();
  const message = scripted(text, { say: "never heard", delayMs: 60_000 });
  const child = spawn(
    process.execPath,
    [builtCommand(), ...["chat", id, "--send", message, "--copilot", programPath()]],
    { cwd: copilot.workspace, env: vars, stdio: "ignore" },
  );
  const wasAsked = (): boolean => copilot.model.requests.some(isChat) && holds();
  await expect.poll(wasAsked, { timeout: 60_000 }).toBe(true);
  child.kill("SIGKILL");
  await once(child, "close");
  copilot.model.clear();
}

describe("a conversation", () => {
  it("survives our process being killed in the middle of an answer", async () => {
    const chats = await restart();
    const { id } = await chats.begin({});
    const first = await say(chats, id, tell("First", "One."));
    expect(first.usage).toEqual({
      inputTokens: 100,
      outputTokens: 20,
      premiumRequests: 0,
      apiMs: expect.any(Number),
    });
    const second = await say(await restart(), id, tell("Second", "Two."));
    expect(second).toMatchObject({ answer: "Two.", usage: { inputTokens: 100, outputTokens: 20 } });
    await killWhileAnswering(id, "Third", logHolds(copilot.log(first.cliSession ?? ""), "Third"));
    const fourth = await say(await restart(), id, tell("Fourth", "Four."));
    expect(fourth).toMatchObject({
      notices: ["The last answer was interrupted"],
      cliSession: first.cliSession,
    });
    const sofar = [
      ["user", "First"],
      ["assistant", "One."],
      ["user", "Second"],
      ["assistant", "Two."],
      ["user", "Third"],
      ["user", "Fourth"],
    ];
    expect(heard()).toEqual(sofar);
    // The program asks its model before it writes the message down, so the log may or may not have the fifth.
    await killWhileAnswering(id, "Fifth", () => true);
    const { notices } = await say(await restart(), id, tell("Sixth", "Six."));
    const isSentAgain = notices.some((notice) => notice.includes("never reached the program"));
    expect(heard()).toEqual([
      ...sofar,
      ["assistant", "Four."],
      ...(isSentAgain
        ? [["user", "Fifth"]]
        : [
            ["user", "Fifth"],
            ["user", "Sixth"],
          ]),
    ]);
    expect(JSON.stringify(copilot.model.requests.filter(isChat).at(-1))).toContain("Sixth");
  });

  it("is not written into while somebody else has its session open", async () => {
    const chats = await restart();
    const { id } = await chats.begin({});
    const { cliSession = "" } = await say(chats, id, tell("Hello", "Hi."));
    copilot.model.clear();
    let isEnough = false;
    const stranger = copilot.prompt(cliSession, scripted("Mine", { say: "never", delayMs: 60_000 }), {
      killWhen: () => isEnough,
    });
    await expect.poll(() => copilot.model.requests.some(isChat), { timeout: 60_000 }).toBe(true);
    await expect(say(chats, id, "Mine, too")).rejects.toMatchObject({ code: "session-busy" });
    isEnough = true;
    await stranger;
  });

  it("keeps its context when the program has lost the session, and when it goes on in another folder", async () => {
    const chats = await restart();
    const { id } = await chats.begin({});
    const { cliSession = "" } = await say(chats, id, tell("Remember the word lantern", "I will."));
    rmSync(join(copilot.home, "session-state", cliSession), { recursive: true });
    const next = await say(await restart(), id, tell("Which word?", "lantern"));
    expect(next.notices).toEqual([expect.stringContaining("rethread wrote it again from its own record")]);
    expect(next.cliSession).not.toBe(cliSession);
    const said: [string, string][] = [
      ["user", "Remember the word lantern"],
      ["assistant", "I will."],
      ["user", "Which word?"],
    ];
    expect(heard()).toEqual(said);

    const another = realpathSync(join(copilot.workspace, ".."));
    await chats.open(id, { workspace: another });
    const pwd = await say(
      await restart(),
      id,
      scripted(
        "And where?",
        { calls: [{ name: "bash", input: { command: "pwd", description: "Look" } }] },
        { say: "There." },
      ),
    );
    expect(pwd.answer).toBe("There.");
    expect(heard().slice(0, 5)).toEqual([...said, ["assistant", "lantern"], ["user", "And where?"]]);
    expect(heard().find(([role]) => role === "tool")?.[1]).toContain(`${another}\n`);
  });
});

it("mixes no conversations when many go on at once", async () => {
  // Each message names its conversation; the model is asked once for each, with nothing of the others.
  const [conversations, messages] = IS_FULL ? [20, 10] : [3, 2];
  copilot.model.clear();
  const chats = await restart();
  await Promise.all(
    Array.from({ length: conversations }, async (_, number) => {
      const { id } = await chats.begin({});
      for (let message = 0; message < messages; message++) {
        const text = tell(`topic-${number} message-${message}`, `topic-${number} answer-${message}`);
        expect((await say(chats, id, text)).answer).toBe(`topic-${number} answer-${message}`);
      }
    }),
  );
  const requests = copilot.model.requests
    .filter(isChat)
    .map((request) => messagesSent(request).map(({ text }) => plainly(text)));
  expect(requests).toHaveLength(conversations * messages);
  for (const texts of requests) {
    const topics = new Set(texts.map((text) => text.split(" ")[0]));
    expect(topics.size).toBe(1);
    expect(texts.map((text) => text.split(" ")[1])).toEqual(
      texts.map((_, at) => `${at % 2 === 0 ? "message" : "answer"}-${Math.floor(at / 2)}`),
    );
  }
});

describe("an older program", () => {
  /** The real one, but it knows nothing of ids and records; and while it runs, somebody else begins a session, or nobody. */
  const older = (name: string, meanwhile = ""): string => {
    const path = join(copilot.home, "..", name);
    const real = programPath();
    writeFileSync(
      path,
      `#!/bin/sh
for word in "$@"; do
  case "$word" in
    --session-id*|--output-format*|--stream*) echo "unknown option $word" >&2; exit 2;;
    --help) "${real}" --help | grep -v -e --session-id -e --output-format -e --stream; exit 0;;
    --version) exec "${real}" --version;;
  esac
done
${meanwhile}
exec "${real}" "$@"
`,
      { mode: 0o755 },
    );
    return path;
  };
  const stranger = (number: number, cwd: string, created: Date): string => {
    const id = `dddddddd-0000-4000-8000-${String(number).padStart(12, "0")}`;
    const folder = join(copilot.home, "session-state", id);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "events.jsonl"), "{}\n");
    writeFileSync(
      join(folder, "workspace.yaml"),
      `id: ${id}\ncwd: ${cwd}\ncreated_at: ${created.toISOString()}\n`,
    );
    utimesSync(join(folder, "events.jsonl"), created, created);
    return folder;
  };

  it("has the right session found among two hundred, three of them in the same folder", async () => {
    const now = Date.now();
    for (let number = 0; number < 200; number++)
      stranger(
        number,
        number < 3 ? copilot.workspace : `/elsewhere/${number}`,
        new Date(now - number * 1000),
      );
    const before = new Set(readdirSync(join(copilot.home, "session-state")));
    const program = older("older-copilot");
    const chats = await restart(program);
    const { id } = await chats.begin({});
    const { cliSession = "", isImprecise } = await say(chats, id, tell("Old but gold", "Indeed."));
    expect([before.has(cliSession), isImprecise]).toEqual([false, false]);
    expect(readFileSync(copilot.log(cliSession), "utf8")).toContain("Old but gold");
    await say(await restart(program), id, tell("And now?", "Still."));
    expect(heard()).toEqual([
      ["user", "Old but gold"],
      ["assistant", "Indeed."],
      ["user", "And now?"],
    ]);
  });

  it("has none found where others begin in the same folder at the same time", async () => {
    const rivals = [900, 901].map((number) => stranger(number, copilot.workspace, new Date(0)));
    const began = `date -u +"created_at: %Y-%m-%dT%H:%M:%SZ"`;
    const program = older(
      "older-copilot-in-company",
      rivals
        .map((folder) => {
          const moved = folder.replace("dddddddd", "eeeeeeee");
          return `cp -r "${folder}" "${moved}"; { echo "cwd: ${copilot.workspace}"; ${began}; } > "${moved}/workspace.yaml"`;
        })
        .join("\n"),
    );
    const chats = await restart(program);
    const { id } = await chats.begin({});
    expect((await say(chats, id, tell("Whose is it?", "Nobody knows."))).cliSession).toBeUndefined();
    // After a restart nobody may guess; what is remembered is the conversation.
    const next = await say(await restart(program), id, tell("And now?", "Now we do."));
    expect(next.isImprecise).toBe(false);
    expect(heard()).toEqual([
      ["user", "Whose is it?"],
      ["assistant", "Nobody knows."],
      ["user", "And now?"],
    ]);
  });
});
