/** A made-up home with chats of a desktop VS Code, and what `rethread` makes of them: clones, forks, imports, rescued ones. */
import { spawnSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { CHATS, writeStore } from "../real/vscode-corpus.ts";
import { INDEX_KEY } from "../real/vscode-judge.ts";

export interface Expected {
  readonly title: string;
  /** What the page must show of it. */
  readonly texts: readonly string[];
}

export interface Made {
  /** The folder with the session files. */
  readonly sessions: string;
  /** VS Code's list of them. */
  readonly index: string;
  readonly expected: readonly Expected[];
}

const MAIN = resolve(import.meta.dirname, "../../src/cli/main.ts");
const TESTED = "commands in the terminal";
const THOUGHT = "thinking";
const EDITED = "files edited";
const TORN = "several turns, two of them equal";

export async function makeSessions(root: string): Promise<Made> {
  const user = join(root, "Code", "User");
  const chats = Object.fromEntries(
    [TESTED, THOUGHT, EDITED, TORN].map((name) => [name, CHATS[name] ?? missing(name)]),
  );
  const { folder, sessions } = await writeStore(user, "saved", chats);
  const id = (name: string): string => sessions.get(name) ?? missing(name);
  appendFileSync(join(folder, "chatSessions", `${id(TORN)}.jsonl`), '{"kind":1,"k":["customTi');
  const rethread = commandIn(root, user);
  rethread("clone", id(TESTED), "--name", "A clone");
  rethread("clone", id(TESTED), "--drop-tools", "--name", "A clone without tools");
  rethread("clone", id(THOUGHT), "--name", "A clone with thoughts");
  rethread("fork", id(EDITED), "--at", "0", "--name", "A fork");
  rethread("export", id(THOUGHT), "--format", "vscode", "--out", "chat.json");
  rethread("import", "chat.json", "--to", basename(folder), "--name", "An import");
  rethread("rescue", "--vscode", "--yes");
  return {
    sessions: join(folder, "chatSessions"),
    index: readIndex(join(folder, "state.vscdb")),
    expected: [
      // One right after the other: VS Code takes what it has just shown for what it is to show next, if it may.
      { title: TESTED, texts: ["Do the tests pass?", "I will run them.", "npm run build", "It works."] },
      { title: "A clone", texts: ["Do the tests pass?", "I will run them.", "npm run build", "It works."] },
      { title: "A clone without tools", texts: ["Do the tests pass?", "They pass.", "And the build?"] },
      { title: "A clone with thoughts", texts: ["Think hard", "Here is another.", "It is."] },
      { title: "An import", texts: ["Think hard", "Here is another.", "It is."] },
      { title: "A fork", texts: ["What is there?", "I changed it:"] },
      { title: TORN, texts: ["hello", "world", "bye", "Good bye."] },
    ],
  };
}

/** As a person would run it, and failing loudly. */
function commandIn(root: string, user: string): (...words: string[]) => void {
  const env = {
    PATH: process.env.PATH,
    HOME: root,
    RETHREAD_HOME: join(root, "rethread"),
    VSCODE_STORAGE_PATH: join(user, "workspaceStorage"),
  };
  return (...words) => {
    const { status, stderr } = spawnSync(process.execPath, [MAIN, ...words], {
      env,
      cwd: root,
      encoding: "utf8",
    });
    if (status !== 0) throw new Error(`rethread ${words.join(" ")} failed:\n${stderr}`);
  };
}

function readIndex(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const row = database.prepare("SELECT value FROM ItemTable WHERE key = ?").get(INDEX_KEY);
    return typeof row?.value === "string" ? row.value : missing(INDEX_KEY);
  } finally {
    database.close();
  }
}

function missing(name: string): never {
  throw new Error(`There is no ${name}`);
}
