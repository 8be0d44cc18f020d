/** Our own writing commands on the home of a real Copilot CLI, and what they mean its model to receive. */
import { join } from "node:path";
import type { EditCore } from "../../src/app/edit/core.ts";
import { createEditCore } from "../../src/app/edit/core.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import copilotCli from "../../src/sources/copilot-cli/index.ts";
import type { Copilot } from "./copilot.ts";
import type { SentMessage } from "./openai.ts";

export interface Editing {
  readonly catalog: Catalog;
  readonly edit: EditCore;
  /** In the form in which the scripted model tells what it received. */
  contextOf(id: string): Promise<SentMessage[]>;
}

export function openEditing(copilot: Copilot, more: { vars?: NodeJS.ProcessEnv } = {}): Editing {
  const env = {
    platform: process.platform,
    homeDir: copilot.home,
    vars: { COPILOT_HOME: copilot.home },
  };
  const catalog = openCatalog([copilotCli], env, localFs);
  // One moment for all: what is compared with the program's own work was copied at the same time.
  const now = new Date();
  return {
    catalog,
    edit: createEditCore({
      catalog,
      home: join(copilot.workspace, "..", "rethread"),
      now: () => now,
      folder: copilot.workspace,
      vars: more.vars ?? { PATH: process.env.PATH },
      find: (name) => resolveSession(catalog, name),
      refresh: async () => undefined,
    }),
    async contextOf(id) {
      const { artifact } = await resolveSession(catalog, id);
      return (await catalog.context(artifact)).map(({ role, text, toolCalls, toolCallId }) => ({
        role,
        text,
        ...(toolCalls && { toolCalls: [...toolCalls] }),
        ...(toolCallId !== undefined && { toolCallId }),
      }));
    },
  };
}
