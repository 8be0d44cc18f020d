/** Several writers at once, and the first command after one of them was killed. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { unfinished } from "../../src/edit/stage.ts";
import { writePlan } from "./every-moment.ts";
import { createEditHome, ID, lookAtAll } from "./home.ts";
import { useKilledChild } from "./killing.ts";
import { watchedDisk } from "./killing-disk.ts";

const used = useKilledChild();

describe("two writers at once", () => {
  it("one is first; the other finds the session changed and leaves it alone", async () => {
    used.home = createEditHome();
    const edit = used.home.edit();
    const plans = await Promise.all(["First", "Second", "Third"].map((name) => edit.planRename(ID, name)));
    const outcomes = await Promise.all(
      plans.map(async (plan, number) => {
        const path = join(used.home.data, "..", `plan-${number}.json`);
        writeFileSync(path, JSON.stringify(plan));
        const words = [used.child.path, used.home.copilot, used.home.data, path, "never", `0p${number}`];
        const writer = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "pipe"] });
        let told = "";
        writer.stderr.on("data", (text) => {
          told += text;
        });
        const [code] = await once(writer, "close");
        return { code, isChanged: told.includes("session-changed") };
      }),
    );
    expect(outcomes.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(outcomes.filter(({ isChanged }) => isChanged)).toHaveLength(2);
    const winner = plans[outcomes.findIndex(({ code }) => code === 0)];
    expect(readFileSync(used.home.file("workspace.yaml"), "utf8")).toContain(`name: ${winner?.name}\n`);
    expect(await edit.history()).toMatchObject([{ state: "done" }]);
    expect(unfinished(used.home.data)).toEqual([]);
  });
});

describe("the first command after a crash", () => {
  const rethread = (...words: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, "../../src/cli/main.ts"), ...words], {
      encoding: "utf8",
      env: {
        PATH: process.env.PATH,
        TMPDIR: tmpdir(),
        HOME: used.home.copilot,
        COPILOT_HOME: used.home.copilot,
        RETHREAD_HOME: used.home.data,
      },
    });
  const crashWhileDeleting = async (): Promise<void> => {
    let killAt = 0;
    const disk = watchedDisk(({ number }) => {
      if (killAt === 0 && !existsSync(used.home.file())) killAt = number;
    });
    const edit = used.home.edit(disk);
    await edit.apply(await edit.planDelete(ID));
    await edit.apply(await edit.planUndo());
    const plan = await edit.planDelete(ID);
    expect(used.child.isKilled(used.home, writePlan(used.home, plan), killAt)).toBe(true);
    expect(existsSync(used.home.file())).toBe(false);
  };

  it("takes back what was interrupted before it answers, and says so", async () => {
    used.home = createEditHome();
    const before = lookAtAll(used.home.copilot);
    await crashWhileDeleting();
    const { stdout, stderr } = rethread("list", "--json");
    expect(JSON.parse(stdout).sessions).toMatchObject([{ id: ID, vanishedAt: null }]);
    expect(stderr).toBe('The delete of "Say "one"" was interrupted, and has been taken back\n');
    expect(lookAtAll(used.home.copilot)).toEqual(before);
    expect(rethread("list").stderr).toBe("");
  });

  it("touches nothing that was taken away when the journal that knew of it is gone", async () => {
    used.home = createEditHome();
    await crashWhileDeleting();
    for (const name of ["state.db", "state.db-wal", "state.db-shm"])
      rmSync(join(used.home.data, name), { force: true });
    const [operation = ""] = unfinished(used.home.data);
    const taken = join(used.home.data, "staging", operation, "old-0", "events.jsonl");
    expect(rethread("list").stderr).toContain("holds what an interrupted write took away");
    expect(existsSync(taken)).toBe(true);
    expect(rethread("history").status).toBe(0);
  });
});
