/** Child process: clones the one session below a root through the whole write path, and says what it cost. */
import { randomUUID } from "node:crypto";
import { createWriteContext } from "../../src/app/edit/recover.ts";
import { apply } from "../../src/edit/apply/apply.ts";
import { createScale, createSurvey } from "../../src/edit/apply/verify.ts";
import { toPlan } from "../../src/edit/plan/plan.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { spareMemory } from "../../src/platform/memory.ts";
import { optimizeLate } from "../../src/platform/optimizer.ts";
import { countContext } from "../../src/query/context.ts";
import { estimateBeyond, loadTokenizer } from "../../src/query/tokens.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { peakMb } from "./peak.ts";

const [id, root, home, tokens] = process.argv.slice(2) as [string, string, string, string];
const source = SOURCES.find((candidate) => candidate.id === id);
if (!source) throw new Error(`no source ${id}`);
const env = { platform: process.platform, homeDir: root, vars: {} };
const catalog = openCatalog([{ ...source, locate: () => [root] }], env, localFs);
const [artifact] = (await catalog.scan()).artifacts;
if (!artifact) throw new Error(`no session below ${root}`);

const before = process.cpuUsage();
// As the reading does that the command begins with.
spareMemory();
optimizeLate();
const now = new Date();
const editing = await catalog.editing(artifact);
const count = tokens === "counted" ? estimateBeyond(await loadTokenizer()) : () => 0;
const scale = createScale(count, (messages, weigh) => countContext(messages, weigh).tokens);
const survey = createSurvey(scale);
const draft = await editing.editor.clone(localFs, artifact, { id: randomUUID(), now, survey });
const plan = await toPlan(editing, localFs, artifact, draft, {
  kind: "clone",
  title: "A long one",
  scale,
  original: survey.measured(),
});
await apply(
  createWriteContext(home, () => now),
  catalog,
  "bench",
  plan,
);
const { user, system } = process.cpuUsage(before);
console.log(
  JSON.stringify({ cpu: (user + system) / 1e6, peakMb: peakMb(), turns: plan.stats?.clonedTurns ?? 0 }),
);
