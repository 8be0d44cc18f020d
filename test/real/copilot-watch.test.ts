/** `index --watch` beside the real Copilot CLI: its turns are found moments after it wrote them, while it still runs. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openDatabase } from "../../src/platform/sqlite/sqlite.ts";
import { storePath } from "../../src/store/open.ts";
import { search } from "../../src/store/search/search.ts";
import { builtCommand } from "../built.ts";
import { type Copilot, logHolds, startCopilot } from "./copilot.ts";
import { scripted, sleep } from "./scripted-model.ts";

/** Generous: what it takes on a machine that has other things to do. `npm run bench` shows what it takes. */
const SOON_MS = 5000;
let copilot: Copilot;
let watch: ChildProcess;
let db: Database;
let said = "";

beforeAll(async () => {
  copilot = await startCopilot();
  const data = join(copilot.home, "..", "rethread");
  watch = spawn(process.execPath, [builtCommand(), "index", "--watch"], {
    env: {
      PATH: process.env.PATH,
      TMPDIR: tmpdir(),
      HOME: join(copilot.home, ".."),
      COPILOT_HOME: copilot.home,
      RETHREAD_HOME: data,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [watch.stdout, watch.stderr])
    stream?.on("data", (text) => {
      said += text;
    });
  await until(() => said.includes("Watching"));
  db = openDatabase(storePath(data));
});
afterAll(async () => {
  db.close();
  watch.kill("SIGKILL");
  await copilot.close();
});

async function until(met: () => boolean): Promise<void> {
  const end = performance.now() + 60_000;
  while (!met()) {
    if (performance.now() > end) throw new Error(`nothing came of it: ${said}`);
    await sleep(5);
  }
}
/** As it was written: a word that is not there yet might be taken for one like it. */
const isFound = (word: string): boolean => {
  const { hits, respelt } = search(db, { text: word, filter: {}, limit: 5, now: new Date() });
  return hits.length > 0 && respelt.length === 0;
};

/** Milliseconds from the word in the log to the word in an answer. */
async function delayOf(word: string, id: string): Promise<number> {
  await until(logHolds(copilot.log(id), word));
  const written = performance.now();
  await until(() => isFound(word));
  return performance.now() - written;
}

it("finds a turn of a new session, and each further turn of one that stays open", async () => {
  const delays: number[] = [];
  const alone = randomUUID();
  const ran = copilot.prompt(alone, scripted("Name a fish", { say: "The qzgurnard." }));
  delays.push(await delayOf("qzgurnard", alone));
  await ran;

  const open = randomUUID();
  const headless = await copilot.headless();
  try {
    await headless.create(open);
    for (const word of ["qzhalibut", "qzlamprey", "qzmackerel", "qzturbot"]) {
      const saying = headless.say(open, scripted("Name another", { say: `The ${word}.` }));
      delays.push(await delayOf(word, open));
      await saying;
    }
  } finally {
    headless.close();
  }
  console.log(`Found after ${delays.map((ms) => `${ms.toFixed(0)} ms`).join(", ")}`);
  expect(Math.max(...delays)).toBeLessThan(SOON_MS);
  expect(said).toMatch(/\d\d:\d\d:\d\d {2}1 session, 1 turn/);

  watch.kill("SIGINT");
  expect(await new Promise((done) => watch.once("exit", done))).toBe(0);
});
