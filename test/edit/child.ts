/** A process that carries out a plan, or takes one back, and kills itself at the n-th moment. */
import { readFileSync } from "node:fs";
import { apply } from "../../src/edit/apply/apply.ts";
import { recover } from "../../src/edit/undo/recover.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { watchedDisk } from "./killing-disk.ts";
import { NOW, openHome } from "./source-homes.ts";

const [agent = "", home = "", planFile = "", killAt = "0", operation = "", source = "copilot-cli"] =
  process.argv.slice(2);
const disk = watchedDisk(({ number }) => {
  if (number === Number(killAt)) process.kill(process.pid, "SIGKILL");
});
const writeContext = { home, now: () => NOW, fs: localFs, disk };
const catalog = openHome(source, agent);
if (planFile === "recover") await recover(writeContext, catalog);
else await apply(writeContext, catalog, operation, JSON.parse(readFileSync(planFile, "utf8")));
