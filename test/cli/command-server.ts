/**
 * A process that runs one command after another, since starting Node takes several times as long as most commands. Each
 * command gets fresh modules, its own words, variables and folder, and ends when nothing is left to do, as a process would;
 * databases that it left open are closed, as the system does. Words: the command's file, a pipe for requests, one for codes.
 */
import type { EventEmitter } from "node:events";
import { appendFileSync, openSync, readSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import sqlite from "node:sqlite";

export interface Request {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

const [, , main = "", requests = "", codes = ""] = process.argv;
const input = openSync(requests, "r");
const output = openSync(codes, "w");
const load = createRequire(main);
const costs = process.env.RETHREAD_TEST_COST;

/**
 * What stays loaded: the tokenizer. It knows nothing but the public ranks, and making its table of them takes longer than
 * all else that a command does.
 */
const TOKENIZER = /\/(o200k_base|tokens)-[^/]*$/;

const opened = new Set<sqlite.DatabaseSync>();
const Real = sqlite.DatabaseSync;
sqlite.DatabaseSync = class extends Real {
  constructor(...words: ConstructorParameters<typeof Real>) {
    super(...words);
    opened.add(this);
  }
};

let isRunning = false;
process.on("beforeExit", () => {
  answer(Number(process.exitCode ?? 0), "\n");
  runNext();
});
// A command that ends the process, or fails it; the tests start another one then.
process.on("exit", (code) => {
  if (isRunning) answer(code, ".");
});
const emitters: EventEmitter[] = [process, process.stdout, process.stderr];
const listening = new Set(emitters.flatMap(listenersOf));
runNext();

function runNext(): void {
  const line = readLine();
  if (line === undefined) {
    const { user, system } = process.cpuUsage();
    const cost = { file: "the commands of one worker", own: (user + system) / 1e6, children: 0 };
    if (costs !== undefined) appendFileSync(costs, `${JSON.stringify(cost)}\n`);
    process.exit();
  }
  const { words, env, folder } = JSON.parse(line) as Request;
  isRunning = true;
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(folder);
  process.argv = [process.execPath, main, ...words];
  process.exitCode = undefined;
  load(main);
  // A command that never waits would be over before Node asks again whether anything is left to do.
  setImmediate(() => undefined);
}

function answer(code: number, end: string): void {
  isRunning = false;
  for (const database of opened) if (database.isOpen) database.close();
  opened.clear();
  for (const each of emitters)
    for (const name of each.eventNames())
      for (const listener of each.listeners(name))
        if (!listening.has(listener)) each.removeListener(name, listener as () => void);
  for (const path of Object.keys(load.cache))
    if (path.startsWith(dirname(main)) && !TOKENIZER.test(path)) delete load.cache[path];
  writeSync(output, `${code}${end}`);
}

function listenersOf(emitter: EventEmitter): unknown[] {
  return emitter.eventNames().flatMap((name) => emitter.listeners(name));
}

/** Undefined when the tests are over. */
function readLine(): string | undefined {
  const parts: Buffer[] = [];
  const part = Buffer.alloc(64 << 10);
  for (;;) {
    const size = readSync(input, part);
    if (size === 0) return undefined;
    parts.push(Buffer.from(part.subarray(0, size)));
    if (part[size - 1] === 0x0a) return Buffer.concat(parts).toString("utf8");
  }
}
