/** Child process: shows the one session below a root as a terminal would, to nobody, and says what it cost. */
import { createTranscript } from "../../src/cli/print/answers/transcript.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { createStyle } from "../../src/present/text/style.ts";
import { showSession } from "../../src/query/show.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { peakMb } from "./peak.ts";

const [id, root] = process.argv.slice(2) as [string, string];
const source = SOURCES.find((candidate) => candidate.id === id);
if (!source) throw new Error(`no source ${id}`);
const env = { platform: process.platform, homeDir: root, vars: {} };
const catalog = openCatalog([{ ...source, locate: () => [root] }], env, localFs);
const [artifact] = (await catalog.scan()).artifacts;
if (!artifact) throw new Error(`no session below ${root}`);

const before = process.cpuUsage();
const transcript = createTranscript({
  style: createStyle(false),
  columns: 100,
  now: new Date(),
  isDemo: false,
  full: false,
  thinking: false,
});
let turns = 0;
await showSession(
  catalog,
  artifact.id,
  { textLimit: 400 },
  {
    head: (session) => void transcript.head(session),
    preamble: () => undefined,
    turn: (turn) => void (transcript.turn(turn).length > 0 && turns++),
  },
);
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ turns, cpu: (user + system) / 1e6, peakMb: peakMb() }));
