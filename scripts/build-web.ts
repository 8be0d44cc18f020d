/**
 * Builds the pages of the web app into dist/web, or the folder behind `--out`, unless what is there is newer than
 * everything it is made from. `serve` runs this in a checkout; in the published package the pages are built already.
 */
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";

const root = join(import.meta.dirname, "..");
const { out } = parseArgs({ options: { out: { type: "string" } }, allowPositionals: true }).values;
const target = out === undefined ? join(root, "dist", "web") : resolve(out);
const stamp = join(target, ".built");

/** The pages share code with the other rooms, so a change there makes them stale, too. */
const MADE_FROM = [
  "web/**/*",
  "src/client/**/*",
  "src/model/**/*",
  "src/present/**/*",
  "src/operations/**/*",
  "package-lock.json",
];

const isFresh = (): boolean => {
  if (!existsSync(stamp)) return false;
  const built = statSync(stamp).mtimeMs;
  return globSync(MADE_FROM, { cwd: root }).every((file) => statSync(join(root, file)).mtimeMs <= built);
};

if (!isFresh()) {
  const began = performance.now();
  // What changes while it is built counts as newer.
  const startedAt = new Date();
  console.error("Building the web app (once, and after changes) …");
  // Whoever asks for the pages, tests included, gets those that people get: of the libraries, too.
  process.env.NODE_ENV = "production";
  const { build } = await import("vite");
  // A server may be reading the old pages, and another process may be building, too.
  const fresh = `${target}.${process.pid}`;
  await build({
    configFile: join(root, "web", "vite.config.ts"),
    logLevel: "warn",
    build: { outDir: fresh },
  });
  // A server holds the files as long as it runs, and browsers take them like this.
  for (const name of globSync("**/*.{html,js,css}", { cwd: fresh }))
    writeFileSync(join(fresh, `${name}.gz`), gzipSync(readFileSync(join(fresh, name)), { level: 9 }));
  writeFileSync(join(fresh, ".built"), "");
  utimesSync(join(fresh, ".built"), startedAt, startedAt);
  mkdirSync(dirname(target), { recursive: true });
  const old = `${target}.old.${process.pid}`;
  if (existsSync(target)) renameSync(target, old);
  renameSync(fresh, target);
  rmSync(old, { recursive: true, force: true });
  console.error(`Built in ${((performance.now() - began) / 1000).toFixed(1)} s`);
}
