/** A store of many sessions with what reports look for in them, written row by row: nobody reads logs for it. */
import type { Database } from "../../src/platform/sqlite/sqlite.ts";
import { openStore } from "../../src/store/open.ts";
import type { RowSink } from "../../src/store/rows.ts";
import { createSessionStore } from "../../src/store/session-store.ts";
import { createRandom, type Texts } from "./text.ts";

export interface ReportStore {
  readonly sessions: number;
  readonly turns: number;
  readonly calls: number;
}

const REPOSITORIES = 40;
const DAY_MS = 86_400_000;
/** Sessions of as many days, all of them before `now`. */
const DAYS = 365;
const COMMANDS = ["npm test", "npx tsc --noEmit", "git status", "npm run build", "rg -n TODO src"];
const PROMPTS = [
  "No, use pnpm instead of npm.",
  "continue",
  "Why does the login test fail on CI only now and then?",
  "Revert that, please.",
  "I already told you: always run the linter first.",
];

export function fillReportStore(folder: string, texts: Texts, sessions: number, now: Date): ReportStore {
  const db: Database = openStore({ folder, now: () => now, notice: () => undefined });
  const store = createSessionStore(db);
  const sums = { turns: 0, calls: 0 };
  store.begin();
  for (let number = 0; number < sessions; number++) {
    const random = createRandom(number + 1);
    const id = `${number.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
    const began = now.getTime() - DAYS * DAY_MS * (1 - number / sessions);
    const rows = store.replace(id);
    const turns = 1 + Math.floor(random() * 15);
    const end = began + turns * 300_000;
    for (let turn = 0; turn < turns; turn++) {
      const at = new Date(began + turn * 300_000).toISOString();
      sums.calls += writeTurn(rows, turn, at, texts, random);
    }
    sums.turns += turns;
    const repository = `acme/project-${number % REPOSITORIES}`;
    store.finish(id, {
      session: {
        source: ["copilot-cli", "claude-code", "vscode"][number % 3] ?? "",
        id,
        title: texts.prose(random, 40).trim(),
        workspace: `/srv/project-${number % REPOSITORIES}`,
        repository,
        branch: `fix/${number % 7}`,
        createdAt: new Date(began).toISOString(),
        updatedAt: new Date(end).toISOString(),
        turns,
        problems: 0,
        models: ["gpt-5"],
        path: `/srv/logs/${id}`,
        bytes: 100_000,
      },
      problems: [],
      mark: { fingerprint: { size: 1, mtimeMs: 1, ino: 1 } },
    });
    if (number % 500 === 499) {
      store.commit();
      store.begin();
    }
  }
  store.commit();
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  return { sessions, ...sums };
}

/** Gives back how many calls it wrote. */
function writeTurn(rows: RowSink, turn: number, at: string, texts: Texts, random: () => number): number {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const user = random() < 0.05 ? pick(PROMPTS) : texts.prose(random, 40 + Math.floor(300 * random())).trim();
  const calls = Math.floor(random() * 12);
  for (let call = 0; call < calls; call++) {
    const isRun = random() < 0.5;
    const path = `/srv/project/src/${texts.words[Math.floor(random() * 500)]}.ts`;
    rows.toolCall({
      turn,
      name: isRun ? "bash" : "view",
      status: random() < 0.08 ? "failed" : "ok",
      label: isRun ? (random() < 0.4 ? pick(COMMANDS) : `rg -n ${texts.prose(random, 18).trim()}`) : path,
      resultSize: Math.floor(20_000 * random() ** 4),
      subAgent: false,
    });
    if (!isRun) rows.file({ path, tool: "view", action: "read", evidence: "call", turn, at });
  }
  rows.usage({ turn, model: random() < 0.1 ? "claude-opus-4.5" : "gpt-5", input: 20_000, output: 400, at });
  if (random() < 0.1)
    rows.ref({ type: "pr", value: String(Math.floor(random() * 900)), evidence: "tool", turn, at });
  rows.turn({
    index: turn,
    user,
    response: texts.prose(random, 200 + Math.floor(1200 * random())),
    more: texts.output(random, 300 * calls),
    startedAt: at,
    endedAt: at,
    ...(random() < 0.3 && { filesChanged: 1 }),
    ...(random() < 0.01 && { hasCheckpoint: true }),
  });
  return calls;
}
