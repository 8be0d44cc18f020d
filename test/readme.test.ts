/** Every command of the README does on the demo what its line says, and its sample output is what the demo prints. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GLOBAL_ARGS, parseValues } from "../src/cli/args.ts";
import { COMMANDS, DEFAULT_COMMAND } from "../src/cli/commands.ts";
import { runHere } from "./fuzz/in-process.ts";

const README = readFileSync(join(import.meta.dirname, "../README.md"), "utf8");
const root = realpathSync(mkdtempSync(join(tmpdir(), "rethread-readme-")));
const [data, kept] = [join(root, "data"), join(root, "kept")];
/** Where the README says that its examples are tried. */
const folder = join(data, "demo/work/storefront");

const VARS = { HOME: root, RETHREAD_HOME: data, PATH: `${root}:${process.env.PATH}`, TZ: "UTC" };

/** Commands in code spans and blocks, line by line: those of one line belong together. */
const LINES = README.split("\n").flatMap((line) => {
  const spans = [...line.matchAll(/`(rethread(?: [^`]*)?)`/g)].map(([, text = ""]) => text);
  const typed = /^\$ (rethread.*)$/.exec(line)?.[1];
  const commands = typed === undefined ? spans : [typed];
  return commands.length === 0 ? [] : [commands];
});

/** These talk to the real Copilot CLI or to a hub, find nothing in the demo, or never end: only their words are checked. */
const ONLY_PARSED = [
  /^chat\b/,
  /^serve$/,
  /^index --watch$/,
  /^secrets scrub/,
  /^hub login/,
  /^sync( --pull)?$/,
  /^sync share/,
  / --hub\b/,
  /^move --map/,
];
/** These act on what the command before them left; every other one that writes gets a fresh copy of the demo. */
const CONTINUES = ["undo", "history", "import"];
/** Codes other than 0 that say what the README says: there is something wrong with the demo's sessions. */
const CODES: Readonly<Record<string, number>> = { doctor: 1 };

beforeAll(async () => {
  writeFileSync(join(root, "copilot"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  await runHere(["index", "--demo"], VARS);
  cpSync(data, kept, { recursive: true, preserveTimestamps: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Only what differs, so that the store need not be read anew. */
function putBack(): void {
  const [now, then] = [filesIn(data), filesIn(kept)];
  for (const path of now.keys()) if (!then.has(path)) rmSync(join(data, path));
  for (const [path, facts] of then)
    if (now.get(path) !== facts) {
      mkdirSync(dirname(join(data, path)), { recursive: true });
      cpSync(join(kept, path), join(data, path), { preserveTimestamps: true });
    }
}

const filesIn = (top: string): Map<string, string> =>
  new Map(
    readdirSync(top, { recursive: true, withFileTypes: true }).flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { size, mtimeMs } = statSync(path);
      return entry.isFile() ? [[relative(top, path), `${size} ${mtimeMs}`] as const] : [];
    }),
  );

const wordsOf = (text: string): string[] =>
  [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");

async function commandOf(text: string) {
  const [, first, ...others] = wordsOf(text);
  const isNamed = first !== undefined && !first.startsWith("-");
  const name = isNamed ? first : DEFAULT_COMMAND;
  const load = COMMANDS[name];
  if (!load) throw new Error(`${text}: there is no command ${name}`);
  const rest = isNamed ? others : first === undefined ? [] : [first, ...others];
  return { name, rest, command: (await load()).default };
}

describe("the README", () => {
  it("has its commands in many lines", () => {
    expect(LINES.length).toBeGreaterThan(25);
  });

  it.each(LINES.map((commands) => [commands.join(", "), commands] as const))("%s", async (_, commands) => {
    for (const text of commands) {
      const { name, rest, command } = await commandOf(text);
      const specs = { ...command.args, ...GLOBAL_ARGS };
      const values = parseValues(name, specs, rest);
      if (ONLY_PARSED.some((pattern) => pattern.test([name, ...rest].join(" ")))) {
        expect(values).toBeDefined();
        continue;
      }
      const isWriting = "dryRun" in command.args || rest.includes("--out");
      if (isWriting && !CONTINUES.includes(name)) putBack();
      const asks = "yes" in command.args && !["board", "chronicle"].includes(name);
      const words = [name, ...rest, ...(asks ? ["--yes"] : []), "--demo"];
      // A new demo is made beside the one that the others share.
      const vars = name === "demo" ? { ...VARS, RETHREAD_HOME: join(root, "other") } : VARS;
      const { code, stdout, stderr } = await runHere(words, vars, folder);
      expect({ text, code, stderr }).toEqual({ text, code: CODES[name] ?? 0, stderr: expect.any(String) });
      expect(stdout + stderr, text).not.toMatch(
        /Nothing was found|No session|Nothing is wrong|need.* repair/,
      );
      // What is imported on the machine it came from is already there.
      if (name !== "import") expect(stdout, text).not.toMatch(/Nothing to do/);
    }
  });

  it("rewinds the files of the example, and undoes that", async () => {
    putBack();
    const limiter = () => readFileSync(join(folder, "src/api/rate-limiter.ts"), "utf8");
    const before = limiter();
    expect(before).toContain("tooManyRequests");
    const rewind = LINES.flat().find((text) => text.endsWith("--files")) ?? "";
    await runHere([...wordsOf(rewind).slice(1), "--yes", "--demo"], VARS, folder);
    expect(limiter()).not.toContain("tooManyRequests");
    await runHere(["undo", "--yes", "--demo"], VARS, folder);
    expect(limiter()).toBe(before);
  });

  it("says on which Node the linked command runs, as the package and the command itself do", () => {
    const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));
    const needed = `Node ${engines.node.replace(">=", "")} or newer`;
    expect(README.split("\n").find((line) => line.includes("npm link"))).toContain(`needs ${needed}`);
    // The command refuses an older one in one sentence: test/cli/failures.test.ts.
    expect(readFileSync(join(import.meta.dirname, "../src/cli/main.ts"), "utf8")).toContain(
      "const NEEDED = 24;",
    );
  });

  it("shows what the demo prints", async () => {
    putBack();
    const { stdout } = await runHere(["--demo"], { ...VARS, COLUMNS: "110" }, folder);
    const [, shown = ""] = /```\n\$ rethread\n([\s\S]*?)```/.exec(README) ?? [];
    expect(lasting(shown)).toEqual(lasting(stdout));
  });
});

/** Without what depends on the day: times, the plot, and sizes, which contain paths. */
const lasting = (text: string): string[] =>
  text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("Turns per week"))
    .map((line) =>
      line
        .replace(/\d+ kB +.*$/, "")
        .replace(/\([^)]* ago\)|\(yesterday\)|\(just now\)/, "")
        .replace(/rethread \d\S*/, "rethread")
        .replace(/\s+/g, " ")
        .trim(),
    );
