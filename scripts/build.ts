/** Bundles the command into dist/: a small entry, and one chunk for what each command needs beyond it. */
import { chmodSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { build } from "rolldown";

const root = join(import.meta.dirname, "..");
const dist = join(root, "dist");
rmSync(dist, { recursive: true, force: true });

const { output } = await build({
  input: { rethread: join(root, "src/cli/main.ts") },
  cwd: root,
  platform: "node",
  output: {
    dir: dist,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name]-[hash].js",
    minify: { compress: true, mangle: false },
  },
});

chmodSync(join(dist, "rethread.js"), 0o755);
const bytes = output.reduce((sum, chunk) => sum + statSync(join(dist, chunk.fileName)).size, 0);
console.log(`dist/rethread.js and ${output.length - 1} chunks, ${(bytes / 1024).toFixed(0)} KiB`);
