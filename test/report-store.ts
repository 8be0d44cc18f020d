/** A store for reports: sessions as few words as a test needs, written row by row. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RefType } from "../src/model/session/refs.ts";
import type { Database } from "../src/platform/sqlite/sqlite.ts";
import { openStore } from "../src/store/open.ts";
import type { FileAction, ToolCallRow } from "../src/store/rows.ts";
import { createSessionStore } from "../src/store/session-store.ts";

export interface ToldCall {
  readonly tool?: string;
  readonly label?: string;
  readonly status?: ToolCallRow["status"];
  readonly size?: number;
  /** How often; once without it. */
  readonly times?: number;
}

export interface ToldTurn {
  readonly user: string;
  /** Null where there was none. */
  readonly answer?: string | null;
  /** ISO time; ten minutes after the turn before without it. */
  readonly at?: string;
  readonly calls?: readonly ToldCall[];
  /** By path. */
  readonly files?: Readonly<Record<string, FileAction>>;
  readonly refs?: readonly { readonly type: RefType; readonly value: string; readonly mentioned?: true }[];
  readonly model?: string;
  readonly tokens?: { readonly input?: number; readonly output?: number };
  readonly isCompacted?: true;
}

export interface ToldSession {
  readonly id: string;
  readonly source?: string;
  readonly title?: string;
  readonly repository?: string | null;
  readonly workspace?: string;
  readonly branch?: string;
  readonly turns: readonly ToldTurn[];
}

export interface ReportStore {
  readonly db: Database;
  put(...sessions: ToldSession[]): void;
  remove(): void;
}

export const REPORT_NOW = new Date("2026-11-15T12:00:00.000Z");
/** When sessions begin that do not say it. */
const BEGAN = "2026-11-14T09:00:00.000Z";
const TURN_MS = 10 * 60_000;

export function createReportStore(): ReportStore {
  const folder = mkdtempSync(join(tmpdir(), "rethread-report-"));
  const db = openStore({ folder, now: () => REPORT_NOW, notice: () => undefined });
  return {
    db,
    put(...sessions) {
      const store = createSessionStore(db);
      store.begin();
      for (const session of sessions) write(store, session);
      store.commit();
    },
    remove() {
      db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function write(store: ReturnType<typeof createSessionStore>, told: ToldSession): void {
  const rows = store.replace(told.id);
  let at = Date.parse(told.turns[0]?.at ?? BEGAN);
  const began = new Date(at).toISOString();
  for (const [turn, each] of told.turns.entries()) {
    if (each.at !== undefined) at = Date.parse(each.at);
    else if (turn > 0) at += TURN_MS;
    const time = new Date(at).toISOString();
    for (const { tool = "bash", label, status = "ok", size = 100, times = 1 } of each.calls ?? [])
      for (let time = 0; time < times; time++)
        rows.toolCall({ turn, name: tool, status, label, resultSize: size, subAgent: false });
    const files = Object.entries(each.files ?? {});
    for (const [path, action] of files)
      rows.file({
        path,
        tool: action === "read" ? "view" : "edit",
        action,
        evidence: "tool",
        turn,
        at: time,
      });
    for (const { type, value, mentioned } of each.refs ?? [])
      rows.ref({ type, value, evidence: mentioned ? "mentioned" : "tool", turn, at: time });
    if (each.model !== undefined)
      rows.usage({
        turn,
        model: each.model,
        input: each.tokens?.input ?? 1000,
        output: each.tokens?.output ?? 100,
        at: time,
      });
    const changed = files.filter(([, action]) => action !== "read").length;
    rows.turn({
      index: turn,
      user: each.user,
      more: "",
      startedAt: time,
      endedAt: time,
      ...(each.answer !== null && { response: each.answer ?? "Done." }),
      ...(changed > 0 && { filesChanged: changed }),
      ...(each.isCompacted && { hasCheckpoint: true }),
    });
  }
  const repository = told.repository === undefined ? "acme/shop" : told.repository;
  store.finish(told.id, {
    session: {
      source: told.source ?? "copilot-cli",
      id: told.id,
      title: told.title ?? told.turns[0]?.user ?? told.id,
      workspace: told.workspace ?? "/srv/shop",
      ...(repository !== null && { repository }),
      branch: told.branch ?? "main",
      createdAt: began,
      updatedAt: new Date(at).toISOString(),
      turns: told.turns.length,
      problems: 0,
      models: [],
      path: `/logs/${told.id}`,
      bytes: 1,
    },
    problems: [],
    mark: { fingerprint: { size: 1, mtimeMs: 1, ino: 1 } },
  });
}
