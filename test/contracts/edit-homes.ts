/** Every miniature home and the demo, copied to a folder in which tests may change them. */
import { cpSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createDemo } from "../../src/demo/create.ts";
import { demoFolder } from "../../src/demo/places.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import type { SessionFs } from "../../src/platform/fs/session-fs.ts";
import { type Catalog, type Editing, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import type { Source } from "../../src/sources/source.ts";
import { FIXTURES } from "./fixtures.ts";

/** A source, and all of its sessions in one home. */
export interface EditHome {
  readonly editing: Editing;
  readonly catalog: Catalog;
  readonly home: string;
  readonly artifacts: readonly Artifact[];
}

const DEMO_HOMES: Record<string, string> = {
  "copilot-cli": "copilot",
  vscode: "vscode/User",
  "claude-code": "claude",
};

/** Of every source that changes sessions, or of one. */
export async function createEditHomes(folder: string, now: Date, only?: string): Promise<EditHome[]> {
  const sources = SOURCES.filter(({ id, editor }) => editor && (only === undefined || id === only));
  await createDemo({ fs: localFs, sources: SOURCES, home: folder, now });
  const homes: EditHome[] = [];
  for (const source of sources) {
    const places = FIXTURES.filter((fixture) => fixture.source === source).map(({ name, home }) => {
      const copy = join(folder, name);
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(home, copy, { recursive: true });
      return copy;
    });
    for (const home of [...places, join(demoFolder(folder), DEMO_HOMES[source.id] ?? "")])
      homes.push(await openEditHome(localFs, source, home, folder));
  }
  return homes;
}

export async function openEditHome(
  fs: SessionFs,
  source: Source,
  home: string,
  homeDir: string,
): Promise<EditHome> {
  const only = { ...source, locate: () => [home] };
  const catalog = openCatalog([only], { platform: "linux", homeDir, vars: {} }, fs);
  const { artifacts } = await catalog.scan();
  return { editing: await catalog.editing({ source: source.id }), catalog, home, artifacts };
}
