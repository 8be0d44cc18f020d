/** A home of Copilot CLI on the disk, and a copy of it that an application keeps on the hub. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { HubSessions } from "../../src/hub/provider/contract.ts";
import { folderOf } from "../../src/hub/provider/places.ts";
import type { Entry } from "../../src/model/plan.ts";
import { readTree } from "../../src/platform/fs/fs-links.ts";
import type { SessionFs } from "../../src/platform/fs/session-fs.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import copilotCli from "../../src/sources/copilot-cli/index.ts";
import { toProvided } from "../../src/sources/provided.ts";

/** Puts the sessions of a home on the hub, with their modes and times. */
export async function putSessions({ fs }: HubSessions, copilot: string, name = "put"): Promise<void> {
  const state = join(copilot, "session-state");
  for (const id of readdirSync(state).filter((name) => /^[0-9a-f-]{36}$/.test(name)))
    await fs.transactions?.run(`${name} ${id}`, [folderOf(id)], (within) =>
      copyFolder(within, join(state, id), folderOf(id)),
    );
}

async function copyFolder(fs: SessionFs, from: string, to: string): Promise<void> {
  await fs.mkdir(to);
  for (const name of readdirSync(from)) {
    const stats = statSync(join(from, name));
    if (stats.isDirectory()) await copyFolder(fs, join(from, name), `${to}/${name}`);
    else {
      await fs.write(`${to}/${name}`, readFileSync(join(from, name)), stats.mode & 0o777);
      await fs.touch?.(`${to}/${name}`, stats.mtimeMs);
    }
  }
}

export const openProvided = ({ fs, home }: HubSessions): Catalog =>
  openCatalog([toProvided(copilotCli, home)], { platform: "linux", homeDir: "/nowhere", vars: {} }, fs);

/**
 * Sessions of a home, all unless some are named, by the paths of their files in it: modes, times and bytes. `as` stands
 * for the home in them.
 */
export async function lookAt(
  fs: SessionFs,
  home: string,
  as = home,
  ids?: readonly string[],
): Promise<Record<string, string>> {
  const seen: Record<string, string> = {};
  const state = `${home}/session-state`;
  const entries: Entry[] = [];
  for (const id of ids ?? (await fs.readdir(state)).map(({ name }) => name))
    entries.push(...(await readTree(fs, `${state}/${id}`)));
  for (const entry of entries) {
    const name = entry.path.slice(home.length + 1);
    if (entry.kind !== "file") {
      seen[name] = entry.kind;
      continue;
    }
    const text = Buffer.from(await fs.read(entry.path))
      .toString("latin1")
      .replaceAll(home, as);
    seen[name] = `${entry.mode.toString(8)} ${entry.mtimeMs} ${text}`;
  }
  return seen;
}
