/** An agent's settings, while the write is killed at any moment: the old file or the new one, and the next rethread settles it. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { planServer } from "../../src/app/edit/mcp-server.ts";
import { apply } from "../../src/edit/apply/apply.ts";
import { unfinished } from "../../src/edit/apply/stage.ts";
import type { EditPlan } from "../../src/model/plan.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import { recoverNow } from "./every-moment.ts";
import { keepFolders, type Snapshot } from "./kept-folders.ts";
import { OPERATION, wasDone } from "./killed-child.ts";
import { watchedDisk } from "./killing-disk.ts";
import { NOW } from "./source-homes.ts";

let folder: string;
let catalog: Catalog;
const data = (): string => join(folder, "ours", "data");
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rethread-configure-"));
  for (const name of ["home/.copilot", "home/.claude", "home/.config/Code/User", "ours"])
    mkdirSync(join(folder, name), { recursive: true });
  catalog = openCatalog(SOURCES, { platform: "linux", homeDir: join(folder, "home"), vars: {} }, localFs);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const plan = (agent: string, isAdded: boolean): Promise<EditPlan> =>
  planServer({ agent, isAdded }, { catalog, now: NOW, folder, self: ["/bin/node", "/x/main.ts"] });

it.each([
  ["copilot-cli", ".copilot/mcp-config.json", '{ "mcpServers": {} }'],
  ["copilot-cli", ".copilot/mcp-config.json", undefined],
  ["claude-code", ".claude.json", '{ "a": 1 }'],
  ["claude-code", ".claude.json", undefined],
  ["vscode", ".config/Code/User/mcp.json", "{ /* mine */ }"],
])("%s: %s with %j", async (agent, file, text) => {
  const path = join(folder, "home", file);
  if (text !== undefined) writeFileSync(path, text);
  const look = (): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
  const kept = keepFolders([join(folder, "home"), join(folder, "ours")]);
  const before = look();
  const moments: Snapshot[] = [];
  const disk = watchedDisk(() => void moments.push(kept.take()));
  const context = { home: data(), now: () => NOW, fs: localFs, disk };
  await apply(context, catalog, OPERATION, await plan(agent, true));
  const after = look();
  expect(JSON.stringify(after)).toContain("rethread");
  const outcomes = new Set<string>();
  for (const moment of moments) {
    kept.putBack(moment);
    expect([before, after]).toContain(look());
    await recoverNow({ data: data(), catalog });
    const isDone = wasDone(data());
    expect(look()).toBe(isDone ? after : before);
    expect(unfinished(data())).toEqual([]);
    outcomes.add(isDone ? "new" : "old");
  }
  expect([...outcomes].sort()).toEqual(["new", "old"]);
});

it("refuses settings that changed since the plan was made", async () => {
  const path = join(folder, "home/.claude.json");
  writeFileSync(path, "{}");
  const made = await plan("claude-code", true);
  writeFileSync(path, '{ "theirs": 1 }');
  const context = { home: data(), now: () => NOW, fs: localFs, disk: watchedDisk(() => undefined) };
  await expect(apply(context, catalog, OPERATION, made)).rejects.toMatchObject({ code: "session-changed" });
  expect(readFileSync(path, "utf8")).toBe('{ "theirs": 1 }');
});
