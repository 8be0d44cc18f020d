/** Homes of all programs on one disk, each with a session, and our commands on them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEditCore, type EditCore } from "../../src/app/edit/core.ts";
import { contentOf } from "../../src/edit/apply/content.ts";
import { entriesOf } from "../../src/model/plan.ts";
import type { Disk } from "../../src/platform/disk/disk.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import type { Catalog } from "../../src/sources/catalog.ts";
import { type ConversationSeed, ok, toConversation } from "../handoff/conversations.ts";
import { quickDisk } from "./quick-disk.ts";
import { homesIn, NOW, openPrograms } from "./source-homes.ts";
import { lookAtUser } from "./vscode-home.ts";

export const PROGRAMS = ["copilot-cli", "vscode", "claude-code", "codex"] as const;
export type Program = (typeof PROGRAMS)[number];

export interface Programs {
  /** The folder of all homes, and our own one. */
  readonly programs: string;
  readonly data: string;
  /** The folder that the sessions are about. */
  readonly workspace: string;
  readonly catalog: Catalog;
  edit(disk?: Disk): EditCore;
  /** All homes, with databases as their rows. */
  look(): Record<string, unknown>;
  remove(): void;
}

const SEED: ConversationSeed = {
  title: "Count",
  turns: [
    {
      prompt: "Count the files.",
      replies: [
        { text: "I look.", calls: [{ act: { kind: "shell", command: "ls" }, result: ok("a.ts") }] },
        { text: "One file.", calls: [] },
      ],
    },
    { prompt: "Thanks.", replies: [{ text: "Any time.", calls: [] }] },
  ],
};

export const idIn = (program: Program): string =>
  `11111111-aaaa-4bbb-8ccc-00000000000${PROGRAMS.indexOf(program)}`;

export async function createPrograms(): Promise<Programs> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "rethread-programs-")));
  const [programs, data, workspace] = [join(folder, "homes"), join(folder, "data"), join(folder, "shop")];
  const homes = homesIn(programs);
  for (const path of [workspace, ...Object.values(homes)]) mkdirSync(path, { recursive: true });
  for (const name of ["globalStorage", "workspaceStorage"]) mkdirSync(join(homes.vscode, name));
  const catalog = openPrograms(programs);
  for (const program of PROGRAMS) {
    const handoff = await catalog.handoff(program);
    if (!handoff) throw new Error(`${program} takes no sessions`);
    const { steps } = await handoff.draw(localFs, toConversation(SEED, program, handoff, workspace), {
      ...{ root: homes[program], id: idIn(program), now: NOW, name: SEED.title, workspace, note: "Made up." },
    });
    for (const entry of steps.flatMap(entriesOf)) {
      if (entry.kind === "folder") mkdirSync(entry.path, { recursive: true });
      if (entry.kind !== "file") continue;
      const parts = await Array.fromAsync(contentOf(entry.pieces ?? [], { fs: localFs }));
      writeFileSync(entry.path, Buffer.concat(parts), { mode: 0o600 });
    }
  }
  return {
    ...{ programs, data, workspace, catalog },
    edit: (disk = quickDisk) =>
      createEditCore({
        ...{ catalog, home: data, now: () => NOW, folder: workspace, disk },
        find: (name) => resolveSession(catalog, name),
        refresh: async () => undefined,
      }),
    look: () => lookAtUser(programs),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
