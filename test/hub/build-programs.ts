/** Bundles the processes that the hub's tests start and kill into the folder that is named: from sources each takes four times as long to start. */
import { join } from "node:path";
import { build } from "rolldown";

const here = import.meta.dirname;
await build({
  input: [
    ...["appending", "provider-killed", "working"].map((name) => join(here, `${name}.ts`)),
    ...["loading", "serving"].map((name) => join(here, `../soak/${name}.ts`)),
  ],
  platform: "node",
  logLevel: "warn",
  output: {
    ...{ dir: process.argv[2] ?? "", format: "esm" },
    ...{ entryFileNames: "[name].mjs", chunkFileNames: "[name]-[hash].mjs" },
  },
});
