/** A home with programs in it that behave as Copilot CLI and Claude Code do, and the app that talks to them. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createApp } from "../../src/app/app.ts";
import { toConfig } from "../../src/app/config.ts";
import type { BridgeEvent, ChatApp, SendOptions } from "../../src/app/contract.ts";

export interface ChatHome {
  readonly copilot: string;
  readonly claude: string;
  readonly work: string;
  readonly data: string;
  /** As after a restart: nothing is remembered but what is on disk. */
  app(vars?: Record<string, string>, folder?: string): Promise<ChatApp>;
  /** The ids of the program's sessions. */
  sessions(): string[];
  /** What a conversation's file holds. */
  kept(id: string): { messages: { role: string; text: string; state?: string }[]; [key: string]: unknown };
  remove(): void;
}

export const PROGRAM = join(import.meta.dirname, "fake-program.mjs");
export const CLAUDE = join(import.meta.dirname, "fake-claude.mjs");

/** Conversations are with Copilot CLI, unless another agent is named, with the program of that. */
export function createChatHome(
  request: { readonly agent?: string; readonly program?: string } = { program: PROGRAM },
): ChatHome {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "rethread-chat-")));
  const [copilot, claude] = [join(home, "copilot"), join(home, "claude")];
  const [work, data] = [join(home, "work"), join(home, "data")];
  for (const path of [copilot, work]) mkdirSync(path, { recursive: true });
  return {
    copilot,
    claude,
    work,
    data,
    async app(vars = {}, folder = work) {
      const config = toConfig(
        {},
        {
          vars: {
            PATH: dirname(process.execPath),
            COPILOT_HOME: copilot,
            CLAUDE_CONFIG_DIR: claude,
            RETHREAD_HOME: data,
            ...vars,
          },
          platform: process.platform,
          homeDir: home,
          folder,
          stdout: {},
          stderr: {},
          self: [],
          now: () => new Date(),
        },
      );
      return (await createApp(config, () => undefined)).chat(request);
    },
    sessions: () => readdirSync(join(copilot, "session-state")).filter((name) => !name.startsWith(".")),
    kept: (id) => JSON.parse(readFileSync(join(data, "chats", `${id}.json`), "utf8")),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

/** All that comes, and the end of it. */
export async function say(chats: ChatApp, id: string, text: string, how: SendOptions = {}) {
  const events: BridgeEvent[] = [];
  for await (const event of chats.send(id, text, how)) events.push(event);
  const end = events.at(-1);
  if (end?.kind !== "finished") throw new Error("it did not finish");
  const notices = events.flatMap((event) => (event.kind === "notice" ? [event.text] : []));
  return { ...end, events, notices };
}
