/** Homes on which random sequences of writes, undos, crashes and changes by others are tried, and what must be found there. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EditCore } from "../../src/app/edit/core.ts";
import type { Disk } from "../../src/platform/disk/disk.ts";
import type { Catalog } from "../../src/sources/catalog.ts";
import { createEditHome } from "./home.ts";
import { createVsCodeHome, madeUpSession } from "./vscode-home.ts";

export interface World {
  readonly name: string;
  /** All that the agent's program keeps, and what links may lead to. */
  readonly folder: string;
  readonly data: string;
  readonly catalog: Catalog;
  /** Whether its sessions are folders that a link can stand for. */
  readonly hasFolders: boolean;
  edit(disk?: Disk): EditCore;
  /** What the program does when somebody says something in a session. */
  say(log: string, text: string): void;
  /** What it leaves of a session that it had open while it was deleted. */
  leaveStub(log: string, text: string): void;
  remove(): void;
}

let spoken = 0;
const uuid = (): string => `44444444-0000-4000-8000-${String(++spoken).padStart(12, "0")}`;

export function copilotWorld(): World {
  const home = createEditHome();
  const line = (type: string, data: object): string =>
    `${JSON.stringify({ type, data, id: uuid(), timestamp: "2026-11-10T10:00:00.000Z", parentId: null })}\n`;
  const turn = (text: string): string =>
    line("user.message", { content: text }) +
    line("assistant.message", { messageId: uuid(), content: `Answer to ${text}` });
  return {
    ...home,
    name: "Copilot CLI",
    folder: dirname(home.copilot),
    hasFolders: true,
    say: (log, text) => appendFileSync(log, turn(text)),
    leaveStub(log, text) {
      mkdirSync(dirname(log), { recursive: true });
      writeFileSync(log, turn(text));
    },
  };
}

export function vscodeWorld(): World {
  const home = createVsCodeHome();
  const request = (text: string) => {
    const [first] = madeUpSession("", 1).requests;
    const message = { text, parts: [{ kind: "text", text, range: { start: 0, endExclusive: text.length } }] };
    return { ...first, requestId: `request_${uuid()}`, responseId: `response_${uuid()}`, message };
  };
  return {
    ...home,
    name: "VS Code",
    folder: dirname(home.user),
    hasFolders: false,
    say: (log, text) =>
      log.endsWith(".jsonl") &&
      appendFileSync(log, `${JSON.stringify({ kind: 2, k: ["requests"], v: [request(text)] })}\n`),
    leaveStub(log, text) {
      const id = /([^/]+)\.jsonl?$/.exec(log)?.[1] ?? "";
      mkdirSync(dirname(log), { recursive: true });
      const session = { ...madeUpSession(id, 0), requests: [request(text)] };
      writeFileSync(
        log,
        log.endsWith(".jsonl") ? `${JSON.stringify({ kind: 0, v: session })}\n` : JSON.stringify(session),
      );
    },
  };
}

/** What the sessions of a world were ever told begins so, and occurs nowhere else. */
export const TOKEN = /said-\d+-here/g;
export const token = (number: number): string => `said-${number}-here`;

/** Everything that was said and can be found in files, links not followed: what they lead to is below the same folder. */
export function tokensBelow(folder: string): Set<string> {
  const found = new Set<string>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile())
      for (const [text] of readFileSync(join(entry.parentPath, entry.name), "latin1").matchAll(TOKEN))
        found.add(text);
  return found;
}
