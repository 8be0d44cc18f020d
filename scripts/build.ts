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
    // An ES module that imports node:fs makes Node load its streams and much else that nobody asked for.
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
    minify: { compress: true, mangle: false },
  },
});

chmodSync(join(dist, "rethread.cjs"), 0o755);
const bytes = output.reduce((sum, chunk) => sum + statSync(join(dist, chunk.fileName)).size, 0);
console.log(`dist/rethread.cjs and ${output.length - 1} chunks, ${(bytes / 1024).toFixed(0)} KiB`);
