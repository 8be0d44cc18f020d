/**
 * A source whose sessions an application keeps elsewhere. They are read and changed as others are, but they are in no
 * home of this machine: no program here can be started on them, and no database here has rows of them.
 */
import type { Source } from "./source.ts";

export function toProvided(source: Source, root: string): Source {
  const { start: _start, processes: _processes, home: _home, mcp: _mcp, ...rest } = source;
  const { vendorStore: _store, demo: _demo, variables: _variables, watch, ...kept } = rest;
  const { newSessionFolders: _folders, ...watching } = watch ?? {};
  return {
    ...kept,
    label: `${source.label} on the hub`,
    locate: () => [root],
    watch: watching,
    async read(fs, artifact, sink, options) {
      const { resume: _, ...session } = await source.read(fs, artifact, sink, options);
      return session;
    },
  };
}
