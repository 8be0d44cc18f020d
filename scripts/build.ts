/**
 * Builds what is published, into dist/ or the folder that is named: the command, a small entry with one chunk for what
 * each command needs beyond it; its manual page; the pages of the web app; and the library with its types, since Node
 * runs no TypeScript out of node_modules. The word "command" after the folder leaves the pages and the library out, the word "library" only
 * the pages.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build, type OutputOptions, type Plugin } from "rolldown";
import { startModules } from "./start-modules.ts";

const root = join(import.meta.dirname, "..");
const dist = resolve(process.argv[2] ?? join(root, "dist"));
const isCommandOnly = process.argv[3] === "command";
const hasPages = process.argv[3] === undefined;
rmSync(dist, { recursive: true, force: true });

/** A package that is loaded late, and not by `import()`, must be in the bundle as well: nothing is installed beside it. */
const bundleLateRequires: Plugin = {
  name: "late-requires",
  transform: {
    filter: { code: "createRequire(import.meta.url)(" },
    handler: (code) => code.replaceAll("createRequire(import.meta.url)(", "require("),
  },
};

async function bundle(name: string, entry: string, options: OutputOptions & { dir: string }): Promise<void> {
  const { output } = await build({
    // Only of the command are modules put together, and nobody imports that.
    ...(options.codeSplitting !== undefined && { preserveEntrySignatures: false }),
    input: { [name]: join(root, entry) },
    cwd: root,
    platform: "node",
    plugins: [bundleLateRequires],
    output: options,
  });
  const bytes = output.reduce((sum, chunk) => sum + statSync(join(options.dir, chunk.fileName)).size, 0);
  console.log(`${name}: ${output.length} files, ${(bytes / 1024).toFixed(0)} KiB`);
}

/**
 * The name of the file that most commands begin with has a hash of its content, which is known only now; see
 * src/cli/main.ts. In plain ASCII it is read without being decoded, and takes half the memory.
 */
function finishStartFile(entry: string): void {
  const code = readFileSync(entry, "utf8");
  const name = /require\("(\.\/chunks\/start-[^"]+)"\)/.exec(code)?.[1];
  if (name === undefined || !code.includes("START_FILE")) throw new Error("the entry loads no start file");
  writeFileSync(entry, code.replaceAll("START_FILE", JSON.stringify(name)));
  const start = join(dist, name);
  const toEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  // As they stand in strings and patterns only; where backslashes are taken as they are, this would change what is meant.
  const text = readFileSync(start, "utf8");
  if (/String\.raw`[^`]*[\u0080-\uffff]/.test(text)) throw new Error("a raw string that is not plain ASCII");
  writeFileSync(start, text.replace(/[\u0080-\uffff]/g, toEscape));
}

const start = startModules(root);
/** Called for rare characters, but loaded with what may call it. */
const MEASURES_WIDTH =
  /\/node_modules\/(string-width|strip-ansi|ansi-regex|get-east-asian-width|emoji-regex)\//;
await bundle("rethread", "src/cli/main.ts", {
  dir: dist,
  // An ES module that imports node:fs makes Node load its streams and much else that nobody asked for.
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "chunks/[name]-[hash].cjs",
  minify: { compress: true, mangle: false },
  codeSplitting: {
    includeDependenciesRecursively: false,
    groups: [{ name: "start", test: (id) => start.has(id) || MEASURES_WIDTH.test(id) }],
  },
});
finishStartFile(join(dist, "rethread.cjs"));
chmodSync(join(dist, "rethread.cjs"), 0o755);

const { MAN_PAGE, manPage } = await import("./man.ts");
const { loadCommands } = await import("../src/cli/commands.ts");
const { VERSION } = await import("../src/app/version.ts");
mkdirSync(join(dist, "man"), { recursive: true });
writeFileSync(join(dist, MAN_PAGE), manPage(await loadCommands(), VERSION));

if (hasPages) {
  const { status } = spawnSync(
    process.execPath,
    [join(root, "scripts/build-web.ts"), "--out", join(dist, "web")],
    { stdio: "inherit" },
  );
  if (status !== 0) process.exit(1);
}
if (!isCommandOnly) {
  await bundle("index", "src/index.ts", {
    dir: join(dist, "lib"),
    format: "es",
    entryFileNames: "[name].js",
    // Beside the entry, as src/app/library.ts looks for the command from where it is.
    chunkFileNames: "[name]-[hash].js",
  });
  // A file of its own, which needs nothing of Node: it is for browsers, too.
  await bundle("client", "src/client/index.ts", {
    dir: join(dist, "lib"),
    format: "es",
    entryFileNames: "[name].js",
  });
  const { writeTypes } = await import("./types.ts");
  console.log(`types: ${await writeTypes(root, join(dist, "types"))} files`);
}
