/**
 * Made-up histories of a work tree: sessions of three agents, forks, rewinds, edits by hand, moves and commits between.
 * The truth is kept line by line, as each line is written.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterOf, type Change, fragmentUse, type How, textOf, toolUse, WAYS } from "./changes.ts";
import {
  type AgentHome,
  type AgentSession,
  claudeSession,
  copilotSession,
  newId,
  saveChatList,
  vsCodeSession,
} from "./sessions.ts";

/** Who wrote a line: a turn of a session; nothing for one that no session wrote. */
export interface Author {
  readonly session: AgentSession;
  readonly turn: number;
}

interface Line {
  readonly text: string;
  readonly by?: Author;
}

export interface MadeUpFile {
  path: string;
  lines: Line[];
}

export interface History {
  readonly files: readonly MadeUpFile[];
  readonly sessions: readonly AgentSession[];
  readonly counts: Readonly<Record<string, number>>;
}

export interface HistoryOptions {
  readonly seed: number;
  readonly files: number;
  readonly edits: number;
  /** Also with edits of a few letters, and files that a person writes anew. */
  readonly fragments?: boolean;
}

export const git = (folder: string, ...args: string[]): string =>
  execFileSync(
    "git",
    ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgsign=false", ...args],
    {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    },
  );

export function makeHistory(home: AgentHome, options: HistoryOptions): History {
  const { seed, files: fileCount, edits, fragments = false } = options;
  const random = createRandom(seed);
  const { int, pick, chance } = random;
  const counts: Record<string, number> = {};
  const did = (what: string): void => {
    counts[what] = (counts[what] ?? 0) + 1;
  };
  const words = createWords(random);
  const root = home.workspace;
  mkdirSync(root, { recursive: true });
  git(root, "init", "-q");
  const files: MadeUpFile[] = [];
  const sessions: AgentSession[] = [];
  /** What agents put into lines of others. */
  const written: string[] = [];
  const put = ({ path, lines }: MadeUpFile): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, textOf(lines.map(({ text }) => text)));
  };
  const commit = (): void => {
    git(root, "add", "-A");
    git(root, "commit", "-q", "--allow-empty", "-m", `Work ${newId()}`);
    did("commits");
  };
  // Half of the files were there before any agent came.
  for (let at = 0; at < fileCount / 2; at++) {
    const file = { path: join(root, `src/area-${at % 5}/old-${at}.ts`), lines: words.block(15 + int(60)) };
    files.push(file);
    put(file);
  }
  commit();

  const begin = (): AgentSession => {
    const make = pick([copilotSession, copilotSession, claudeSession, claudeSession, vsCodeSession]);
    const session = make(home, newId());
    sessions.push(session);
    return session;
  };
  const open = (session: AgentSession): void => {
    session.prompt(`Please change something, ${newId()}`);
    if (chance(0.5)) session.think(`Thinking of ${newId()}`);
    if (chance(0.5)) session.say("Let me look.");
  };
  const authorIn = (session: AgentSession): Author => ({ session, turn: session.turns() - 1 });

  const create = (session: AgentSession): void => {
    const by = authorIn(session);
    const lines = words.block(10 + int(50), by);
    const file = { path: join(root, `src/area-${int(5)}/new-${files.length}.ts`), lines };
    const marks = lines.map(({ text }) => `+${text}`);
    session.use(toolUse(session.source, "create", { path: file.path, before: [], at: 0, marks }));
    files.push(file);
    put(file);
    did("create");
  };
  /** Some lines stay, some are changed, some go, some come; where nothing is taken, a block comes. */
  const revise = (file: MadeUpFile, by: Author | undefined): { change: Change; lines: Line[] } => {
    const at = int(file.lines.length + 1);
    const old = file.lines.slice(at, at + int(6));
    const fresh: Line[] = [];
    const marks: string[] = [];
    const write = (): void => {
      let line = words.line(by);
      // Diffs have no line that goes and comes: it stays.
      while (old.some(({ text }) => text === line.text)) line = words.line(by);
      fresh.push(line);
      marks.push(`+${line.text}`);
    };
    for (const line of old) {
      const dice = int(100);
      if (dice < 35) {
        fresh.push(line);
        marks.push(` ${line.text}`);
      } else {
        marks.push(`-${line.text}`);
        if (dice < 80) write();
      }
      if (chance(0.2)) write();
    }
    if (old.length === 0) for (let count = 1 + int(7); count > 0; count--) write();
    const before = file.lines.map(({ text }) => text);
    const lines = [...file.lines.slice(0, at), ...fresh, ...file.lines.slice(at + old.length)];
    return { change: { path: file.path, before, at, marks }, lines };
  };
  const edit = (session: AgentSession): void => {
    const file = pick(files);
    const { change, lines } = revise(file, authorIn(session));
    if (textOf(afterOf(change)) === textOf(change.before)) return;
    const how: How = pick(WAYS[session.source]);
    // An agent may fail, or be refused; then nothing happens.
    const ok = !chance(0.05);
    session.use(toolUse(session.source, how, change, ok));
    did(ok ? `${session.source} ${how}` : "failed");
    if (!ok) return;
    file.lines = lines;
    put(file);
  };
  const byHand = (): void => {
    const file = pick(files);
    file.lines = revise(file, undefined).lines;
    put(file);
    did("by hand");
  };
  /** As few letters of a line as stand once in the file. */
  const editFragment = (session: AgentSession): void => {
    const file = pick(files);
    const all = textOf(file.lines.map(({ text }) => text));
    const at = int(file.lines.length);
    const { text = "" } = file.lines[at] ?? {};
    const [call = "", name = "", does = "", count = ""] = /(\w+) = (\w+)\((\d+)\)/.exec(text) ?? [];
    if (call === "") return;
    const [other, fewer] = [words.verb(), String(int(90))];
    const old = pick([
      [count, fewer],
      [does, other],
      [`${does}(${count})`, `${other}(${fewer})`],
      [call, `${name} = ${other}(${fewer})`],
    ]);
    const [before = "", after = ""] =
      all.split(old[0] ?? "").length === 2 ? old : [call, `${name} = ${other}(${fewer})`];
    if (before === after || all.split(before).length !== 2) return;
    session.use(fragmentUse(session.source, file.path, before, after));
    file.lines = file.lines.with(at, { text: text.replace(before, after), by: authorIn(session) });
    put(file);
    written.push(after);
    did("fragment");
  };
  /** A person writes the file anew, in words that have those of agents in them. */
  const rewriteByHand = (): void => {
    const file = pick(files);
    const like = (): Line =>
      written.length > 0 && chance(0.5)
        ? { text: `// ${words.noun()}${pick(written)}${words.noun()} by hand` }
        : words.line();
    file.lines = Array.from({ length: 10 + int(30) }, like);
    put(file);
    did("rewritten by hand");
  };
  const move = (session: AgentSession): void => {
    const file = pick(files);
    const to = join(root, `src/area-${int(5)}/moved-${newId().slice(0, 8)}.ts`);
    const [from, target] = [file.path, to].map((path) => path.slice(root.length + 1));
    mkdirSync(dirname(to), { recursive: true });
    if (session.source === "vscode" || chance(0.4)) {
      // By the user, and committed, or staged at least.
      commit();
      git(root, "mv", from ?? "", target ?? "");
      if (chance(0.7)) commit();
      did("git mv");
    } else {
      renameSync(file.path, to);
      const command = `${chance(0.5) ? "git mv" : "mv"} ${from} ${target} && ls`;
      const name = session.source === "copilot-cli" ? "bash" : "Bash";
      session.use({
        name,
        input: { command, description: "Move it" },
        ok: true,
        record: { stdout: "", stderr: "" },
      });
      did("moved by an agent");
    }
    file.path = to;
  };
  /** With its files, or the conversation alone: then what the turns wrote stays, and is nobody's. */
  const rewind = (session: AgentSession, snapshot: readonly MadeUpFile[], turn: number): void => {
    session.rewind(turn);
    // Claude Code shows only with the next prompt that it went back.
    if (session.source === "claude-code") session.prompt(`Rather not, ${newId()}`);
    const isRestoring = session.source === "vscode" || chance(0.5);
    if (isRestoring) {
      for (const file of files) rmSync(file.path, { force: true });
      files.splice(0, files.length, ...snapshot.map(({ path, lines }) => ({ path, lines })));
      for (const file of files) put(file);
    } else
      for (const file of files)
        file.lines = file.lines.map((line) =>
          line.by?.session === session && line.by.turn > turn ? { text: line.text } : line,
        );
    did("rewind");
  };

  const total = (): number =>
    Object.entries(counts)
      .filter(
        ([what]) =>
          what === "create" || (what.includes(" ") && /^(copilot-cli|claude-code|vscode) /.test(what)),
      )
      .reduce((sum, [, count]) => sum + count, 0);
  while (total() < edits || files.length < fileCount) {
    const session = sessions.length > 3 && chance(0.6) ? pick(sessions) : begin();
    open(session);
    const work = 1 + int(4);
    for (let step = 0; step < work; step++) {
      if (files.length < fileCount && chance(0.3)) create(session);
      else if (chance(0.03)) move(session);
      else if (fragments && chance(0.4)) editFragment(session);
      else edit(session);
      if (chance(0.15)) byHand();
      if (fragments && chance(0.03)) rewriteByHand();
    }
    session.say("Done.");
    // As programs do: the file of a copy is younger than that of its original.
    session.save();
    if (chance(0.1)) commit();
    if (chance(0.06)) {
      sessions.push(session.fork(newId(), session.turns() - 1));
      did("fork");
    }
    if (chance(0.06)) {
      const snapshot = files.map(({ path, lines }) => ({ path, lines }));
      const turn = session.turns() - 1;
      open(session);
      for (let step = 0; step < 3; step++) edit(session);
      rewind(session, snapshot, turn);
    }
  }
  for (let times = 0; times < 5; times++) byHand();
  for (const session of sessions) session.save();
  saveChatList(
    home,
    sessions.filter(({ source }) => source === "vscode"),
  );
  return { files, sessions, counts };
}

interface Random {
  int(below: number): number;
  pick<T>(from: readonly T[]): T;
  chance(share: number): boolean;
}

/** Mulberry32: the same numbers for the same seed. */
function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (below: number): number => Math.floor(next() * below);
  return { int, pick: (from) => from[int(from.length)] as never, chance: (share) => next() < share };
}

/** Lines as code has them: one in five is a brace, a blank line or the like, which stands everywhere. */
function createWords({ int, pick, chance }: Random) {
  let serial = 0;
  const COMMON = [
    "",
    "",
    "}",
    "\t}",
    "});",
    "\treturn result;",
    "\t\tbreak;",
    'import { it } from "vitest";',
  ];
  const noun = (): string => pick(["cart", "price", "user", "total", "order"]);
  const verb = (): string => pick(["load", "merge", "parse", "count"]);
  const line = (by?: Author): Line => {
    const indent = "\t".repeat(int(3));
    const name = `${noun()}${serial++}`;
    const text = chance(0.2)
      ? pick(COMMON)
      : `${indent}const ${name} = ${verb()}(${int(90)}); // “${pick(["größe", "数", "ok"])}”`;
    return by ? { text, by } : { text };
  };
  return {
    line,
    noun,
    verb,
    block: (count: number, by?: Author): Line[] => Array.from({ length: count }, () => line(by)),
  };
}
