/** Our own writing commands on the home of a real Claude Code, and what they mean its model to receive. */
import { dirname, join } from "node:path";
import { createEditCore, type EditCore } from "../../src/app/edit/core.ts";
import { localFs } from "../../src/platform/fs/local.ts";
import { resolveSession } from "../../src/query/resolve.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import claudeCode from "../../src/sources/claude-code/index.ts";
import type { ClaudeHome } from "./claude.ts";
import type { SentMessage } from "./claude-wire.ts";

export interface ClaudeEditing {
  readonly catalog: Catalog;
  readonly edit: EditCore;
  /** In the form in which the scripted model tells what it received. */
  contextOf(id: string): Promise<SentMessage[]>;
}

export function openClaudeEditing(home: ClaudeHome): ClaudeEditing {
  const env = {
    platform: process.platform,
    homeDir: dirname(home.workspace),
    vars: { CLAUDE_CONFIG_DIR: home.root },
  };
  const catalog = openCatalog([claudeCode], env, localFs);
  const now = new Date();
  return {
    catalog,
    edit: createEditCore({
      ...{ catalog, home: join(dirname(home.workspace), "rethread"), now: () => now, folder: home.workspace },
      vars: { PATH: process.env.PATH },
      find: (name) => resolveSession(catalog, name),
      refresh: async () => undefined,
    }),
    async contextOf(id) {
      const { artifact } = await resolveSession(catalog, id);
      const messages = await catalog.context(artifact);
      return messages.map(({ origin: _origin, madeUp: _madeUp, appended: _appended, ...message }) => message);
    },
  };
}
