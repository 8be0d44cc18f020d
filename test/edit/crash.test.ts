/** Several writers at once, and the first command after one of them was killed. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { unfinished } from "../../src/edit/apply/stage.ts";
import { builtChild, builtCommand } from "../built.ts";
import { writePlan } from "./every-moment.ts";
import { createEditHome, type EditHome, ID, lookAtAll } from "./home.ts";
import { isKilled } from "./killed-child.ts";
import { watchedDisk } from "./killing-disk.ts";

let home: EditHome;
afterEach(() => home.remove());

describe("two writers at once", () => {
  it("one is first; the other finds the session changed and leaves it alone", async () => {
    home = createEditHome();
    const edit = home.edit();
    const plans = await Promise.all(["First", "Second", "Third"].map((name) => edit.planRename(ID, name)));
    const outcomes = await Promise.all(
      plans.map(async (plan, number) => {
        const path = join(home.data, "..", `plan-${number}.json`);
        writeFileSync(path, JSON.stringify(plan));
        const words = [builtChild(), home.copilot, home.data, path, "never", `0p${number}`];
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
    expect(readFileSync(home.file("workspace.yaml"), "utf8")).toContain(`name: ${winner?.name}\n`);
    expect(await edit.history()).toMatchObject([{ state: "done" }]);
    expect(unfinished(home.data)).toEqual([]);
  });
});

describe("the first command after a crash", () => {
  const rethread = (...words: string[]) =>
    spawnSync(process.execPath, [builtCommand(), ...words], {
      encoding: "utf8",
      env: {
        PATH: process.env.PATH,
        TMPDIR: tmpdir(),
        HOME: home.copilot,
        COPILOT_HOME: home.copilot,
        RETHREAD_HOME: home.data,
      },
    });
  const crashWhileDeleting = async (): Promise<void> => {
    let killAt = 0;
    const disk = watchedDisk(({ number }) => {
      if (killAt === 0 && !existsSync(home.file())) killAt = number;
    });
    const edit = home.edit(disk);
    await edit.apply(await edit.planDelete(ID));
    await edit.apply(await edit.planUndo());
    const plan = await edit.planDelete(ID);
    expect(isKilled(home, writePlan(home, plan), killAt)).toBe(true);
    expect(existsSync(home.file())).toBe(false);
  };

  it("takes back what was interrupted before it answers, and says so", async () => {
    home = createEditHome();
    const before = lookAtAll(home.copilot);
    await crashWhileDeleting();
    const { stdout, stderr } = rethread("list", "--json");
    expect(JSON.parse(stdout).sessions).toMatchObject([{ id: ID, vanishedAt: null }]);
    expect(stderr).toBe('The delete of "Say "one"" was interrupted and has been undone\n');
    expect(lookAtAll(home.copilot)).toEqual(before);
    expect(rethread("list").stderr).toBe("");
  });

  it("touches nothing that was taken away when the journal that knew of it is gone", async () => {
    home = createEditHome();
    await crashWhileDeleting();
    for (const name of ["state.db", "state.db-wal", "state.db-shm"])
      rmSync(join(home.data, name), { force: true });
    const [operation = ""] = unfinished(home.data);
    const taken = join(home.data, "staging", operation, "old-0", "events.jsonl");
    expect(rethread("list").stderr).toContain("has files that an interrupted write moved away");
    expect(existsSync(taken)).toBe(true);
    expect(rethread("history").status).toBe(0);
  });
});
