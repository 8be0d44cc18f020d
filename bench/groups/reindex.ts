/** Against the real Copilot CLI's own reindex of the same home, where it is installed (node test/real/install.ts). */
import { readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { programPath, startCopilot } from "../../test/real/copilot.ts";
import { reindex, storeOf } from "../../test/real/copilot-index-home.ts";
import type { Home } from "../corpus/homes.ts";
import { type Cost, median, type Table } from "../table.ts";
import { HEAD, indexHome } from "./index.ts";

/** Its own takes longer with the square of the turns, so the goal grows with them. */
export async function measureReindex(
  table: Table,
  folder: string,
  home: Home,
  timesLess: number,
): Promise<void> {
  const goals = {
    cpu: `${home.turns} turns: times less CPU than Copilot CLI's own reindex`,
    turns: "turns that it finds, against ours",
    size: "our store against its own, neither with tool outputs",
  };
  const why = whyNot();
  if (why !== undefined) {
    table.skipped(goals.cpu, why, `≥ ${timesLess}`);
    return;
  }
  const store = join(folder, "beside-theirs");
  const ours = Array.from({ length: 3 }, () => indexHome(home, store, HEAD.none));
  rmSync(store, { recursive: true });
  const theirs = await reindexHome(home);
  table.number(goals.cpu, theirs.cpu / median(ours.map(({ cpu }) => cpu)), "least", timesLess);
  table.equal(goals.turns, theirs.turns, home.turns);
  table.number(goals.size, median(ours.map(({ storeBytes }) => storeBytes)) / theirs.storeBytes, "most", 1);
}

function whyNot(): string | undefined {
  if (process.platform !== "linux") return "the CPU time of another program is only told by Linux";
  try {
    programPath();
    return undefined;
  } catch {
    return "the real Copilot CLI is not installed (node test/real/install.ts)";
  }
}

/** Without its start, as ours is measured without our own. */
async function reindexHome(home: Home): Promise<Pick<Cost, "cpu" | "turns" | "storeBytes">> {
  const copilot = await startCopilot();
  try {
    renameSync(join(home.root, "session-state"), join(copilot.home, "session-state"));
    let cpu = 0;
    await reindex(copilot, async (run) => {
      const before = cpuOfChildren();
      await run();
      cpu = cpuOfChildren() - before;
    });
    const path = storeOf(copilot);
    const store = new DatabaseSync(path, { readOnly: true });
    const turns = Number(store.prepare("SELECT count(*) AS n FROM turns").get()?.n);
    store.close();
    return { cpu, turns, storeBytes: statSync(path).size };
  } finally {
    await copilot.close();
  }
}

/** Seconds of CPU that this process's children have used, and theirs, as far as they are still there. */
function cpuOfChildren(pid: number | "self" = "self"): number {
  const list =
    pid === "self" ? `/proc/self/task/${process.pid}/children` : `/proc/${pid}/task/${pid}/children`;
  const children = readFileSync(list, "utf8").trim().split(" ").filter(Boolean).map(Number);
  return children.reduce((sum, child) => sum + cpuOf(child) + cpuOfChildren(child), 0);
}

/** Clock ticks of user and system time stand behind the name, which may hold anything; Linux counts 100 a second. */
function cpuOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
