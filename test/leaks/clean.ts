/** Texts without secrets, in which everything that is taken out is a false alarm. Read from this checkout, so nothing is fetched. */
import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { globSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

export interface CleanText {
  readonly sort: string;
  readonly text: string;
}

const root = resolve(import.meta.dirname, "../..");
const LARGEST = 1 << 20;

/** Packages and their sizes differ between machines, so each sort of text has a limit. */
const SORTS: Readonly<Record<string, { readonly pattern: string; readonly bytes: number }>> = {
  "source code": { pattern: "**/*.{mjs,cjs,mts,cts,ts,tsx}", bytes: 10 << 20 },
  "scripts, minified ones among them": { pattern: "**/*.js", bytes: 10 << 20 },
  "styles and pages": { pattern: "**/*.{css,html,svg}", bytes: 2 << 20 },
  "notes and licences": { pattern: "**/*.{md,txt}", bytes: 4 << 20 },
  "settings and source maps": { pattern: "**/*.{json,yml,yaml,map,toml}", bytes: 6 << 20 },
};

export function* readCleanTexts(share = 1): Generator<CleanText> {
  for (const [sort, { pattern, bytes }] of Object.entries(SORTS)) {
    let left = bytes * share;
    for (const file of globSync(`node_modules/${pattern}`, { cwd: root }).sort()) {
      const path = join(root, file);
      // The other scanner's own patterns would be alarms of ours, and ours of it.
      if (file.includes("@secretlint") || !statSync(path).isFile() || statSync(path).size > LARGEST) continue;
      const text = readFileSync(path, "utf8");
      yield { sort, text };
      left -= text.length;
      if (left <= 0) break;
    }
  }
  yield { sort: "lock files", text: readFileSync(join(root, "package-lock.json"), "utf8") };
  yield { sort: "git logs", text: gitLog(Math.ceil(300 * share)) };
  yield* madeUp(share);
}

const gitLog = (commits: number): string =>
  execFileSync("git", ["log", "--stat", `-${commits}`, "--format=fuller", "HEAD"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 << 20,
  });

/** Ids, hashes and encoded bytes, as logs and pictures have them. */
function* madeUp(share: number): Generator<CleanText> {
  let seed = "harmless";
  const next = (as: "hex" | "base64" | "base64url"): string => {
    seed = hash("sha512", seed);
    return hash("sha512", seed, as);
  };
  const list = (count: number, make: () => string): string =>
    Array.from({ length: Math.ceil(count * share) }, make).join("\n");
  const toUuid = (hex: string): string =>
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  yield { sort: "lists of ids", text: list(20_000, () => toUuid(next("hex"))) };
  yield { sort: "lists of hashes", text: list(10_000, () => `${next("hex").slice(0, 40)}  src/file.ts`) };
  yield {
    sort: "pictures",
    text: `data:image/png;base64,iVBORw0KGgo${Array.from({ length: Math.ceil(10_000 * share) }, () => next("base64")).join("")}`,
  };
  yield {
    sort: "encrypted reasoning",
    text: JSON.stringify({
      encrypted_content: `gAAAAAB${Array.from({ length: Math.ceil(4000 * share) }, () => next("base64url")).join("")}`,
    }),
  };
}
