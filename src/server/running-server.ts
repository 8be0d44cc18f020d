/** The record of a running server, by which a second one finds it: in our own folder, for its owner alone. */
import { hash, randomBytes } from "node:crypto";
import { join } from "node:path";
import { createNewFile } from "../platform/disk/new-file.ts";
import { makeFolder, namesIn, readIfThere, removeFile } from "../platform/disk/own-files.ts";
import { askServer } from "../platform/http/ask.ts";
import { takeWriteLock } from "../platform/process/write-lock.ts";

export interface ServerRecord {
  readonly version: 1;
  readonly instance: string;
  readonly pid: number;
  readonly port: number;
  /** Scheme, host and port. */
  readonly base: string;
  /** The same as this machine reaches it. */
  readonly localBase: string;
  readonly token: string;
  /** Of a server with TLS: by it, the second one knows the first. */
  readonly certificate?: string;
}

export interface ServerFiles {
  /** Held as long as the server runs; the system takes it from a process that ends. Nothing while another has it. */
  claim(): (() => void) | undefined;
  write(record: ServerRecord): void;
  read(): ServerRecord | undefined;
  remove(): void;
  /** Signs cookies; made once. */
  cookieKey(): Uint8Array;
}

/** `about` is what a server serves, and how: another one beside it is about something else. */
export function openServerFiles(dataFolder: string, about: unknown): ServerFiles {
  const folder = join(dataFolder, "server");
  const name = hash("sha256", JSON.stringify(about)).slice(0, 16);
  const path = join(folder, `${name}.json`);
  const keyPath = join(folder, "cookie-key");
  const write = (to: string, text: string): void => {
    // What lies there may be open to others, and would keep its mode.
    removeFile(to);
    const file = createNewFile(to, { replace: true, mode: 0o600 });
    file.write(text);
    file.finish();
  };
  return {
    claim() {
      makeFolder(folder);
      return takeWriteLock(join(folder, `.${name}.lock`));
    },
    write: (record) => write(path, `${JSON.stringify(record)}\n`),
    read: () => toRecord(readIfThere(path)?.toString("utf8")),
    remove: () => removeFile(path),
    cookieKey() {
      const kept = readIfThere(keyPath);
      if (kept && kept.length === KEY_BYTES * 2) return kept;
      const key = randomBytes(KEY_BYTES).toString("hex");
      write(keyPath, key);
      return Buffer.from(key);
    },
  };
}

const KEY_BYTES = 32;

function toRecord(text: string | undefined): ServerRecord | undefined {
  try {
    const record = JSON.parse(text ?? "") as ServerRecord;
    return record.version === 1 && typeof record.token === "string" ? record : undefined;
  } catch {
    return undefined;
  }
}

/** The addresses of the servers that run on a data folder. */
export async function runningServers(dataFolder: string): Promise<string[]> {
  const folder = join(dataFolder, "server");
  const running: string[] = [];
  for (const name of namesIn(folder).filter((each) => each.endsWith(".json"))) {
    const record = toRecord(readIfThere(join(folder, name))?.toString("utf8"));
    if (record && (await isAnswering(record))) running.push(record.localBase);
  }
  return running;
}

/** A code for the pages of the server that the record is about; nothing where another one answers there, or none. */
export async function askForCode(record: ServerRecord): Promise<string | undefined> {
  const { localBase: base, token } = record;
  // Nobody else gets the token, even where another program has the port by now.
  if (!(await isAnswering(record))) return undefined;
  const answer = (await askServer(`${base}/api/codes`, { method: "POST", token, ...waysOf(record) })) as
    | { readonly code?: unknown }
    | undefined;
  return typeof answer?.code === "string" ? answer.code : undefined;
}

const waysOf = ({ certificate }: ServerRecord) => (certificate === undefined ? {} : { certificate });

async function isAnswering(record: ServerRecord): Promise<boolean> {
  const health = (await askServer(`${record.localBase}/api/health`, { method: "GET", ...waysOf(record) })) as
    | { readonly instance?: unknown }
    | undefined;
  return health?.instance === record.instance;
}
