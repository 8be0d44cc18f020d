/** Child process: reads every session below a root with our reader and says what it cost. */
import { localFs } from "../../src/platform/fs/local.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { peakMb } from "./peak.ts";

const [id, root] = process.argv.slice(2) as [string, string];
const source = SOURCES.find((candidate) => candidate.id === id);
if (!source) throw new Error(`no source ${id}`);
const env = { platform: process.platform, homeDir: root, vars: {} };
const catalog = openCatalog([{ ...source, locate: () => [root] }], env, localFs);

const before = process.cpuUsage();
const { artifacts } = await catalog.scan();
let turns = 0;
let events = 0;
let problems = 0;
for (const artifact of artifacts) {
  const session = await catalog.read(artifact, {
    event: () => void events++,
    problem: () => void problems++,
  });
  turns += session.turns;
}
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({
    sessions: artifacts.length,
    turns,
    events,
    problems,
    cpu: (user + system) / 1e6,
    peakMb: peakMb(),
  }),
);
