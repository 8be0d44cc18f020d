/** Bundles the measured tasks as the command is bundled: stripping types at start would cost each of them 30 MB. */
import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "rolldown";

const tasks = join(import.meta.dirname, "tasks");

export async function buildTasks(folder: string): Promise<string> {
  const names = globSync("*.ts", { cwd: tasks }).map((file) => basename(file, ".ts"));
  await build({
    input: Object.fromEntries(names.map((name) => [name, join(tasks, `${name}.ts`)])),
    platform: "node",
    logLevel: "warn",
    output: { dir: folder, format: "esm", entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
  });
  return folder;
}
