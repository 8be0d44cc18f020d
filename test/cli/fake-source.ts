/** A source whose sessions are told by a test, so that queries can be tried without any vendor's format. */

import type { Problem } from "../../src/model/problem.ts";
import type { ContextMessage } from "../../src/model/session/context.ts";
import type { Event, Origin, Session } from "../../src/model/session/session.ts";
import { createMemoryFs } from "../../src/platform/fs/memory.ts";
import { type Catalog, openCatalog } from "../../src/sources/catalog.ts";
import { defineSource, type Source } from "../../src/sources/source.ts";

export interface Told {
  readonly id: string;
  readonly title?: string;
  readonly root?: string;
  readonly mtimeMs?: number;
  readonly head?: Partial<Session>;
  readonly events?: readonly Event[];
  readonly problems?: readonly Problem[];
  readonly context?: readonly ContextMessage[];
}

export const ORIGIN: Origin = { line: 1, start: 0, end: 10 };

export const prompt = (text: string, time?: string): Event => ({
  kind: "prompt",
  text,
  origin: ORIGIN,
  ...(time !== undefined && { time }),
});
export const answer = (text: string): Event => ({ kind: "text", text, origin: ORIGIN });
export const call = (callId: string, name: string, input: unknown = {}): Event => ({
  kind: "tool-call",
  callId,
  name,
  input,
  origin: ORIGIN,
});
export const result = (callId: string, text: string, status: "ok" | "failed" = "ok"): Event => ({
  kind: "tool-result",
  callId,
  status,
  text,
  origin: ORIGIN,
});

export const toSession = (told: Told, source = "fake"): Session => ({
  source,
  id: told.id,
  title: told.title ?? told.id,
  turns: (told.events ?? []).filter((event) => event.kind === "prompt" && event.agent === undefined).length,
  problems: 0,
  models: [],
  path: `/home/${told.id}.jsonl`,
  bytes: 100,
  ...told.head,
});

export interface FakeExtras {
  readonly scanProblems?: readonly Problem[];
  readonly examined?: readonly Problem[];
}

export function fakeSource(told: readonly Told[], id = "fake", extras: FakeExtras = {}): Source {
  return defineSource({
    id,
    label: `The ${id} program`,
    locate: () => ["/home"],
    async scan(_fs, root, sink) {
      for (const each of told)
        sink.artifact({
          source: id,
          id: each.id,
          root: each.root ?? root,
          path: `/home/${each.id}.jsonl`,
          fingerprint: { size: 100, mtimeMs: each.mtimeMs ?? 0, ino: 1 },
        });
      for (const problem of extras.scanProblems ?? []) sink.problem(problem);
    },
    async read(_fs, artifact, sink) {
      const each = told.find(
        (candidate) => candidate.id === artifact.id && (candidate.root ?? "/home") === artifact.root,
      );
      if (!each) throw new Error(`nothing told about ${artifact.id}`);
      for (const event of each.events ?? []) sink.event(event);
      for (const problem of each.problems ?? []) sink.problem(problem);
      return toSession(each, id);
    },
    context: {
      async messages(_fs, artifact) {
        return [...(told.find((each) => each.id === artifact.id)?.context ?? [])];
      },
    },
    health: {
      async diagnose(_fs, _root, sink) {
        for (const problem of extras.examined ?? []) sink.problem(problem);
      },
    },
  });
}

export const catalogOf = (...sources: Source[]): Catalog =>
  openCatalog(sources, { platform: "linux", homeDir: "/home", vars: {} }, createMemoryFs());
