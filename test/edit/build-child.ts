/** Bundles child.ts into the folder that is named, as more than a hundred processes load it. */
import { join } from "node:path";
import { build } from "rolldown";

await build({
  input: join(import.meta.dirname, "child.ts"),
  platform: "node",
  logLevel: "warn",
  output: { file: join(process.argv[2] ?? "", "child.mjs"), format: "esm", codeSplitting: false },
});
