/** The bundled command reads a large home in threads of its own file, which must not run a command themselves. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { builtCommand } from "../built.ts";

const MB = 1 << 20;

it("indexes a large home with threads, and says what it did once", () => {
  const folder = mkdtempSync(join(tmpdir(), "rethread-threads-"));
  try {
    const system = { role: "system", content: "x".repeat(3 * MB) };
    for (let number = 10; number < 22; number++) {
      const id = `0b1c0000-0000-4000-8000-0000000000${number}`;
      const at = { timestamp: "2026-10-01T10:00:00.000Z", parentId: null };
      const records = [
        { type: "system.message", data: system, id, ...at },
        { type: "user.message", data: { content: `Find the zeppelin ${number}` }, id, ...at },
      ];
      mkdirSync(join(folder, "copilot/session-state", id), { recursive: true });
      writeFileSync(
        join(folder, "copilot/session-state", id, "events.jsonl"),
        records.map((record) => `${JSON.stringify(record)}\n`).join(""),
      );
    }
    // Tells of each thread, and that there is more than one core wherever this runs.
    writeFileSync(
      join(folder, "tell.cjs"),
      `require("node:os").availableParallelism = () => 2;
       process.on("worker", () => process.stderr.write("a thread\\n"));`,
    );
    const run = spawnSync(
      process.execPath,
      ["--require", join(folder, "tell.cjs"), builtCommand(), "index", "--json"],
      {
        encoding: "utf8",
        env: {
          PATH: process.env.PATH,
          HOME: folder,
          RETHREAD_HOME: join(folder, "rethread"),
          COPILOT_HOME: join(folder, "copilot"),
          CLAUDE_CONFIG_DIR: join(folder, "none"),
          CODEX_HOME: join(folder, "none"),
          VSCODE_STORAGE_PATH: join(folder, "none"),
        },
      },
    );
    expect(JSON.parse(run.stdout)).toMatchObject({ indexed: 12, turns: 12 });
    expect(run.stderr.match(/a thread/g)).toHaveLength(1);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
