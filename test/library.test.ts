/** docs/library.md tells the truth: its examples run, and print what it says, on the package as npm installs it. */
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtLibrary } from "./built.ts";
import { newAccount, urlOf } from "./hub/account.ts";
import { newHub, type TestHub } from "./hub/cluster.ts";

const root = resolve(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs/library.md"), "utf8");
const readme = readFileSync(join(root, "README.md"), "utf8");

interface Example {
  readonly name: string;
  readonly program: string;
  readonly prints: string;
}

/** Every program on the page, with the output that stands below it. */
const EXAMPLES = [...page.matchAll(/^```ts\n([\s\S]*?)^```\n(?:```text\n([\s\S]*?)^```)?/gm)].map(
  ([, program = "", prints = ""], index): Example => {
    const before = page.slice(0, page.indexOf(program));
    const heading = [...before.matchAll(/^## (.+)$/gm)].at(-1)?.[1] ?? "";
    return { name: `${index + 1} ${heading}`, program, prints };
  },
);

let folder: string;
let app: string;
let hub: TestHub;
/** For the chapter on sessions on a hub. */
let hubVars: Readonly<Record<string, string>>;
const npm = (cwd: string, ...words: string[]): string =>
  execFileSync("npm", [...words, "--offline", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd,
    encoding: "utf8",
  });
const fileOf = (index: number): string => join(app, `example-${index + 1}.ts`);

/** Only what is named here: no example may see the sessions of whoever runs the tests. */
const run = (program: string, ...words: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: app,
    env: { PATH: process.env.PATH, HOME: app, NO_COLOR: "1", ...hubVars },
    encoding: "utf8",
  });
  return { status, stdout, stderr };
};

beforeAll(async () => {
  hub = await newHub();
  hubVars = { HUB_DATABASE_URL: urlOf(hub), HUB_TOKEN: (await newAccount(hub)).token };
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-library-")));
  const packed = join(folder, "package");
  app = join(folder, "app");
  for (const path of [packed, app]) mkdirSync(path);
  for (const name of ["package.json", "README.md", "LICENSE", "CHANGELOG.md", "docs"])
    cpSync(join(root, name), join(packed, name), { recursive: true });
  cpSync(builtLibrary(), join(packed, "dist"), { recursive: true });
  const [{ filename }] = JSON.parse(npm(packed, "pack", "--json", "--ignore-scripts"));
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", private: true, type: "module" }));
  npm(app, "install", "--omit=optional", join(packed, filename));
  for (const [index, { program }] of EXAMPLES.entries()) writeFileSync(fileOf(index), program);
}, 240_000);
afterAll(async () => {
  await hub.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("the installed library", () => {
  it("needs nothing but itself", () => {
    const { packages } = JSON.parse(readFileSync(join(app, "package-lock.json"), "utf8"));
    const needed = Object.keys(packages).filter((name) => !packages[name].optional);
    expect(needed).toEqual(["", "node_modules/rethread"]);
  });

  it("has a command that runs", () => {
    const { status, stdout } = run(join(app, "node_modules/.bin/rethread"), "--version");
    expect([status, stdout.trim()]).toEqual([
      0,
      JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version,
    ]);
  });

  it("has a client of the API that needs nothing of Node, and says when nobody answers", () => {
    const file = join(app, "client.mjs");
    const program = `import { createClient } from "rethread/client";
const client = createClient({ baseUrl: "http://127.0.0.1:1" });
console.log(await client.health().catch(({ code, status }) => [code, status]));`;
    writeFileSync(file, program);
    expect(readFileSync(join(app, "node_modules/rethread/dist/lib/client.js"), "utf8")).not.toMatch(
      /node:|require\(|^import/m,
    );
    expect(run(process.execPath, file).stdout).toBe("[ 'unreachable', 0 ]\n");
  });

  it("has an example for every chapter of its page", () => {
    expect(EXAMPLES.length).toBeGreaterThanOrEqual(9);
  });

  // In the order of the page: each goes on with what those before it have left.
  it.each(EXAMPLES.map((example, index) => ({ ...example, index })))("$name", ({ index, prints }) => {
    expect(run(process.execPath, fileOf(index))).toEqual({ status: 0, stdout: prints, stderr: "" });
  });

  it("has types that fit its examples and the README's, for whoever checks libraries, too", () => {
    for (const name of ["@types", "undici-types"])
      symlinkSync(join(root, "node_modules", name), join(app, "node_modules", name));
    const files = ["wrong.ts", "readme.ts", "client.ts", ...EXAMPLES.map((_, index) => fileOf(index))];
    writeFileSync(
      join(app, "wrong.ts"),
      'import { replay } from "rethread";\nexport const mode: number = replay([]).mode;\n',
    );
    writeFileSync(join(app, "readme.ts"), /^```ts\n([\s\S]*?)^```/m.exec(readme)?.[1] ?? "");
    writeFileSync(
      join(app, "client.ts"),
      `import { type Answer, createClient } from "rethread/client";
const client = createClient({ baseUrl: "http://127.0.0.1:1", token: "x" });
export const tree: Promise<Answer<"tree">> = client.tree();
export const titles = async (): Promise<string[]> =>
  (await client.sessions({ limit: 3, q: "x" })).sessions.map(({ title }) => title);
export const mark = async (): Promise<string> =>
  (await client.plan("clone", { session: "x", tools: { truncate: 100 } })).fingerprint;
`,
    );
    const strict = ["--noEmit", "--strict", "--exactOptionalPropertyTypes", "--types", "node"];
    const words = [...strict, "--module", "nodenext", "--target", "es2024", ...files];
    expect(run(process.execPath, join(root, "node_modules/typescript/bin/tsc"), ...words).stdout.trim()).toBe(
      "wrong.ts(2,14): error TS2322: Type 'string' is not assignable to type 'number'.",
    );
  });
});
