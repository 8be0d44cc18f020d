/** Builds the pages into dist/web, or where `WEB_OUT` says: no address but our own, nothing inline. */
import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const root = import.meta.dirname;

export default defineConfig({
  root,
  plugins: [react()],
  resolve: { preserveSymlinks: false },
  css: { modules: { generateScopedName: "[name]_[local]_[hash:base64:4]" } },
  build: {
    outDir: join(root, "..", "dist", "web"),
    emptyOutDir: true,
    target: ["chrome123", "firefox128", "safari17.5"],
    // The Content-Security-Policy allows no data but pictures.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
  },
  worker: { format: "es" },
});
