/** A machine in memory with a home for each program, on which sessions are handed over without being written. */

import { type PlanUnlisted, planHandoff } from "../../src/app/edit/handoff.ts";
import { createScale } from "../../src/edit/apply/verify.ts";
import { createPlannedFs } from "../../src/edit/plan/planned-fs.ts";
import type { Conversation } from "../../src/model/handoff/conversation.ts";
import type { Draft, EditPlan } from "../../src/model/plan.ts";
import type { Artifact } from "../../src/model/session/session.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import { programNames, readConversation } from "../../src/query/handoff.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { SOURCES } from "../../src/sources/registry.ts";
import type { Source } from "../../src/sources/source.ts";

export const NOW = new Date("2026-11-15T12:00:00.000Z");

const VARS = {
  CODEX_HOME: "/home/codex",
  COPILOT_HOME: "/home/copilot",
  CLAUDE_CONFIG_DIR: "/home/claude",
  VSCODE_STORAGE_PATH: "/home/vscode/User/workspaceStorage",
};
const ROOTS: Record<string, string> = {
  codex: "/home/codex",
  "copilot-cli": "/home/copilot",
  "claude-code": "/home/claude",
  vscode: "/home/vscode/User",
};

export interface Place {
  readonly catalog: Catalog;
  readonly artifact: Artifact;
}

/** Without any session; VS Code takes one chat for each of the folders. */
export async function createMachine(
  sources: readonly Source[] = SOURCES,
  files: Readonly<Record<string, string>> = {},
): Promise<Catalog> {
  const fs = createMemoryFs(files);
  for (const folder of ["/srv/work", "/srv/back", "/srv/third", ...Object.values(ROOTS)])
    await fs.mkdir(folder);
  await fs.mkdir("/home/vscode/User/globalStorage");
  await fs.mkdir("/home/vscode/User/workspaceStorage");
  return openCatalog(sources, { platform: "linux", homeDir: "/home", vars: VARS }, fs);
}

async function placed(
  catalog: Catalog,
  { steps, session }: Pick<Draft, "steps" | "session">,
): Promise<Place> {
  const planned = createPlannedFs(catalog.fs, steps);
  const { size, mtimeMs, ino } = await planned.stat(session.path);
  const root = ROOTS[session.source] ?? "";
  const artifact = {
    source: session.source,
    id: session.id,
    path: session.path,
    root,
    fingerprint: { size, mtimeMs, ino },
  };
  return { catalog: catalog.on(planned), artifact };
}

/** A session of a program, as if it had been there all along. */
export async function settle(catalog: Catalog, source: string, conversation: Conversation): Promise<Place> {
  const handoff = await catalog.handoff(source);
  if (!handoff) throw new Error(`${source} takes no sessions`);
  const draft = await handoff.draw(catalog.fs, conversation, {
    root: ROOTS[source] ?? "",
    id: "11111111-2222-4333-8444-555555555555",
    now: NOW,
    name: conversation.session.title,
    workspace: "/srv/work",
    note: "Made up.",
  });
  return placed(catalog, draft);
}

export async function handOver(
  { catalog, artifact }: Place,
  to: string,
  request: { readonly workspace?: string; readonly at?: number; readonly budget?: number } = {},
  planSmaller: PlanUnlisted = () => Promise.reject(new Error("no editor is asked here")),
): Promise<Place & { readonly plan: EditPlan }> {
  const plan = await planHandoff(
    artifact.id,
    { to, workspace: "/srv/work", ...request },
    {
      catalog,
      now: NOW,
      folder: "/srv",
      find: async () => ({ artifact, problems: [] }),
      loadScale: async () =>
        createScale(
          (text) => text.length,
          (messages, count) => messages.reduce((sum, { text }) => sum + count(text), 0),
        ),
      planSmaller,
    },
  );
  return { ...(await placed(catalog, plan)), plan };
}

export const read = ({ catalog, artifact }: Place): Promise<Conversation> =>
  readConversation(catalog, artifact, programNames(catalog));
