/** Child process: indexes every session below a root into a fresh store, as a rebuild or as `rethread index` does where there is none, and says what it cost. */
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { DatabaseSync } from "node:sqlite";
import { fillEmpty } from "../../src/indexer/first.ts";
import { rebuild } from "../../src/indexer/rebuild.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { storePath } from "../../src/store/open.ts";
import { peakMb } from "./peak.ts";

const [id, root, folder, outputHead, how] = process.argv.slice(2) as [string, string, string, string, string];
const sources = SOURCES.filter((source) => source.id === id).map((source) => ({
  ...source,
  locate: () => [root],
}));
const catalog = openCatalog(sources, { platform: process.platform, homeDir: root, vars: {} }, localFs);

const before = process.cpuUsage();
const began = performance.now();
const options = {
  outputHead: Number(outputHead),
  now: () => new Date(),
  // In a file of its own: a thread that loads this one would begin to index.
  readers: async (head: number) =>
    (await import("../../src/app/store/readers/readers.ts")).startReaders(
      Math.max(1, Math.min(4, availableParallelism() - 1)),
      head,
    ),
};
const { indexed, withProblems } =
  (how === "first" && (await fillEmpty(catalog, folder, options))) ||
  (await rebuild(catalog, folder, options));
const seconds = (performance.now() - began) / 1000;
const { user, system } = process.cpuUsage(before);
const path = storePath(folder);
const store = new DatabaseSync(path, { readOnly: true });
const turns = Number(store.prepare("SELECT count(*) AS n FROM turns").get()?.n);
store.close();
console.log(
  JSON.stringify({
    sessions: indexed,
    problems: withProblems,
    turns,
    storeBytes: statSync(path).size,
    cpu: (user + system) / 1e6,
    seconds,
    peakMb: peakMb(),
  }),
);
