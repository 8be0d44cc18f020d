/** A Copilot home with one session that has everything beside its log, and ways to look at all of it at once. */
import { createHash, hash } from "node:crypto";
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import type { EditCore } from "../../src/app/edit/core.ts";
import { createEditCore } from "../../src/app/edit/core.ts";
import { contentOf } from "../../src/edit/apply/content.ts";
import { type EditPlan, entriesOf } from "../../src/model/plan.ts";
import type { Disk } from "../../src/platform/disk/disk.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import type { Catalog } from "../../src/sources/catalog.ts";
import { openVault } from "../../src/store/vault/vault.ts";
import { quickDisk } from "./quick-disk.ts";
import { NOW, openCopilot } from "./source-homes.ts";

export const ID = "11111111-aaaa-4bbb-8ccc-000000000001";

/** The names of the file states that the session kept: before its first turn, and before its third. */
export const BACKUPS = [hash("sha256", "before one\n"), hash("sha256", "before three\n")] as const;

export interface EditHome {
  /** COPILOT_HOME, and our own data folder, which may lie on another disk. */
  readonly copilot: string;
  readonly data: string;
  readonly catalog: Catalog;
  edit(disk?: Disk): EditCore;
  file(...names: string[]): string;
  remove(): void;
}

export function createEditHome(dataParent = tmpdir()): EditHome {
  const folder = mkdtempSync(join(tmpdir(), "rethread-edit-"));
  const ours = mkdtempSync(join(dataParent, "rethread-data-"));
  const copilot = join(folder, "copilot");
  const data = join(ours, "data");
  const catalog = openCopilot(copilot);
  writeSession(join(copilot, "session-state", ID));
  return {
    copilot,
    data,
    catalog,
    file: (...names) => join(copilot, "session-state", ID, ...names),
    edit: (disk = quickDisk) =>
      createEditCore({
        catalog,
        home: data,
        now: () => NOW,
        folder,
        find: (name) => resolveSession(catalog, name),
        refresh: async () => undefined,
        disk,
      }),
    remove() {
      for (const path of [folder, ours]) rmSync(path, { recursive: true, force: true });
    },
  };
}

const uuid = (number: number): string => `22222222-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** Three turns, a compaction after the second; numbers that a parser would write otherwise. */
function writeSession(folder: string): void {
  let number = 0;
  const line = (type: string, data: string): string => {
    const id = uuid(++number);
    const parent = number === 1 ? "null" : `"${uuid(number - 1)}"`;
    return `{"type":"${type}","data":${data},"id":"${id}","timestamp":"2026-11-01T10:00:${String(number).padStart(2, "0")}.000Z","parentId":${parent}}\n`;
  };
  const turn = (text: string): string =>
    line("user.message", `{"content":"${text}","future":1.0}`) +
    line("assistant.message", `{"messageId":"${uuid(900 + number)}","content":"Answer to ${text}"}`);
  const log =
    line(
      "session.start",
      `{"sessionId":"${ID}","version":1,"producer":"copilot-agent","copilotVersion":"1.0.102","startTime":"2026-11-01T10:00:00.000Z","ratio":0.0,"remoteSteerable":false,"context":{"cwd":"/work/shop","branch":"main"}}`,
    ) +
    turn("one") +
    turn("two") +
    line("session.compaction_complete", '{"success":true,"summaryContent":"Summary.","checkpointNumber":1}') +
    line("session.from_the_future", '{"deep":{"number":1.50}}') +
    turn("three") +
    line(
      "session.shutdown",
      `{"shutdownType":"routine","totalPremiumRequests":0.0,"totalApiDurationMs":0,"sessionStartTime":0,"codeChanges":{},"modelMetrics":{}}`,
    );
  const put = (name: string, content: string, mode = 0o600, time = "2026-11-01T10:05:00.123Z"): void => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, content);
    chmodSync(path, mode);
    utimesSync(path, new Date(time), new Date(time));
  };
  put("events.jsonl", log);
  put(
    "workspace.yaml",
    `id: ${ID}\ncwd: /work/shop\nbranch: main\nclient_name: github/cli\nname: |-\n  Say "one"\n  and more\nuser_named: false\nsummary_count: 1\nfork_count: 0\nmc_session_id: remote\nfuture_key: 1.10\ncreated_at: 2026-11-01T10:00:00.000Z\nupdated_at: 2026-11-01T10:00:00.000Z\n`,
  );
  put(
    "checkpoints/index.md",
    "# Checkpoint History\n\n| # | Title | File |\n|---|-------|------|\n| 1 | Summary | 001-summary.md |\n",
  );
  put("checkpoints/001-summary.md", "Summary.\n");
  put("plan.md", "# Plan\n");
  put("files/run.sh", "#!/bin/sh\n", 0o755);
  put("session.db", "not really a database");
  put("inuse.999999999.lock", "999999999\n");
  const files = (backup: string) => ({
    [backup]: {
      path: "/work/shop/a.ts",
      preimage: { kind: "content", contentHash: backup },
      // Of which nobody knows what it became, so that no rewind makes it.
      postimage: { kind: "skipped", reason: "too-large" },
    },
  });
  const snapshot = (event: number, backup: string) => ({
    snapshotId: `s${event}`,
    eventId: uuid(event),
    files: files(backup),
  });
  put("rewind-file-snapshots/tracking.json", '{"schema":1,"tracking":true}');
  put(
    "rewind-file-snapshots/index.json",
    JSON.stringify({ schema: 1, snapshots: [snapshot(2, BACKUPS[0]), snapshot(8, BACKUPS[1])] }),
  );
  put(`rewind-file-snapshots/backups/${BACKUPS[0]}`, "before one\n");
  put(`rewind-file-snapshots/backups/${BACKUPS[1]}`, "before three\n");
  mkdirSync(join(folder, "research"), { mode: 0o700 });
  mkdirSync(join(folder, "..", ".session-operation-locks"), { recursive: true });
  put(`../.session-operation-locks/${ID}.lock`, "", 0o644);
}

/** Everything below a folder: kinds, modes, times of files, and a hash of their bytes. */
export function lookAtAll(folder: string): Record<string, string> {
  const seen: Record<string, string> = {};
  const walk = (path: string): void => {
    const stats = lstatSync(path);
    const name = relative(folder, path) || ".";
    if (stats.isDirectory()) {
      seen[name] = `folder ${(stats.mode & 0o777).toString(8)}`;
      for (const entry of readdirSync(path)) walk(join(path, entry));
    } else if (stats.isSymbolicLink()) seen[name] = `link ${readlinkSync(path)}`;
    else seen[name] = fileLook(readFileSync(path), stats.mode, stats.mtimeMs);
  };
  walk(folder);
  return seen;
}

const fileLook = (bytes: Uint8Array, mode: number, mtimeMs: number): string =>
  `file ${(mode & 0o777).toString(8)} ${Math.round(mtimeMs)} ${bytes.length} ${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}`;

/** What `lookAtAll` must say once a plan is carried out, worked out from the plan alone. */
export async function expectAfter(
  before: Readonly<Record<string, string>>,
  plan: EditPlan,
  { copilot, data }: EditHome,
): Promise<Record<string, string>> {
  const after = { ...before };
  const vault = openVault(data);
  for (const step of plan.steps) {
    const name = relative(copilot, step.path);
    if (step.does === "remove")
      for (const each of Object.keys(after))
        if (each === name || each.startsWith(`${name}/`)) delete after[each];
    for (const entry of entriesOf(step)) {
      const at = relative(copilot, entry.path);
      if (entry.kind === "folder") after[at] = `folder ${entry.mode.toString(8)}`;
      else if (entry.kind === "link") after[at] = `link ${entry.target}`;
      else {
        const parts: Buffer[] = [];
        for await (const chunk of contentOf(entry.pieces ?? [], { fs: localFs, vault }))
          parts.push(Buffer.from(chunk));
        after[at] = fileLook(Buffer.concat(parts), entry.mode, entry.mtimeMs);
      }
    }
  }
  return after;
}
