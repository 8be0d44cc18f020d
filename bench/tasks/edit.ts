/** Child process: changes the one session below a root through the whole write path, and says what it cost. */
import { randomUUID } from "node:crypto";
import { createWriteContext } from "../../src/app/edit/recover.ts";
import { apply } from "../../src/edit/apply/apply.ts";
import { createScale, createSurvey } from "../../src/edit/apply/verify.ts";
import { toPlan } from "../../src/edit/plan/plan.ts";
import { planUndo } from "../../src/edit/undo/undo.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { spareMemory } from "../../src/platform/memory.ts";
import { optimizeLate } from "../../src/platform/optimizer.ts";
import { openCatalog } from "../../src/sources/catalog.ts";
import copilotCli from "../../src/sources/copilot-cli/index.ts";
import { askJournal } from "../../src/store/state/journal.ts";
import { peakMb } from "./peak.ts";

const [kind, root, home] = process.argv.slice(2) as ["clone" | "fork" | "rewind", string, string];
const env = { platform: process.platform, homeDir: root, vars: { COPILOT_HOME: root } };
const catalog = openCatalog([copilotCli], env, localFs);
const [artifact] = (await catalog.scan()).artifacts;
if (!artifact) throw new Error(`no session below ${root}`);

const before = process.cpuUsage();
// As the reading does that the command begins with.
spareMemory();
optimizeLate();
const now = new Date();
const writeContext = createWriteContext(home, () => now);
const editing = await catalog.editing(artifact);
const { editor } = editing;
// Tokens are not counted: what that costs depends on the tokenizer and the words, not on how often a log is read.
const scale = createScale(
  () => 0,
  () => 0,
);
const survey = createSurvey(scale);
const draft = await {
  clone: () => editor.clone(localFs, artifact, { id: randomUUID(), now, survey }),
  fork: () => editor.fork(localFs, artifact, { id: randomUUID(), recordId: randomUUID(), now }),
  rewind: () => editor.rewind(localFs, artifact, { to: 0, now, id: randomUUID() }),
}[kind]();
const plan = await toPlan(editing, localFs, artifact, draft, {
  kind,
  title: "A long one",
  scale,
  original: survey.measured(),
});
await apply(writeContext, catalog, "bench", plan);
const { user, system } = process.cpuUsage(before);
const cost = { cpu: (user + system) / 1e6, peakMb: peakMb() };

// For the next one that is measured, all is again as it was.
const undo = await askJournal(home, writeContext.now, (journal) => {
  const [entry] = journal?.entries() ?? [];
  if (!entry) throw new Error("nothing was written");
  return planUndo(localFs, entry, journal?.backupOf(entry.operation) ?? [], now);
});
await apply(writeContext, catalog, "undo", undo);
console.log(JSON.stringify(cost));
