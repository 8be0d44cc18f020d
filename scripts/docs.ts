/** Writes docs/cli.md from the command table; with --check it only says whether the file is up to date. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadCommands } from "../src/cli/commands.ts";
import { commandReference } from "./reference.ts";

const path = join(import.meta.dirname, "../docs/cli.md");
const wanted = commandReference(await loadCommands());
const current = existsSync(path) ? readFileSync(path, "utf8") : "";

if (!process.argv.includes("--check")) {
  writeFileSync(path, wanted);
  console.log("docs/cli.md written");
} else if (current !== wanted) {
  console.error("docs/cli.md is not what the commands say. Write it anew: npm run docs");
  process.exitCode = 1;
}
