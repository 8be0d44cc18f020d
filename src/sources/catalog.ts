/** The catalog of all sources on this machine: finds and reads their sessions, without knowing any source by name. */

import { AppError } from "../model/errors.ts";
import type { Problem } from "../model/problem.ts";
import { type Artifact, type Event, isWhole, type Session, type SourceId } from "../model/session/session.ts";
import { formatKey } from "../model/values/id.ts";
import { memberOf } from "../model/values/member.ts";
import { isAtOrBelow } from "../model/values/paths.ts";
import { createAbortableFs } from "../platform/fs/abortable.ts";
import { reasonOf, type SessionFs, statEach } from "../platform/fs/session-fs.ts";
import { spareMemoryFor } from "../platform/memory.ts";
import { optimizeLateFor } from "../platform/optimizer.ts";
import { abilitiesOf, cannot } from "./abilities.ts";
import type {
  Catalog,
  KeptSessions,
  PlacedDriver,
  PlacedInterchange,
  PlacedWorkspace,
  ReadResult,
  Scan,
} from "./catalog-contract.ts";
import type { OnSkipped } from "./files/of-session.ts";
import { orProblem, readIsolated } from "./isolation.ts";
import {
  createFolderRepositories,
  type RecallRepository,
  withRepository,
} from "./machine/folder-repositories.ts";
import { createGlances } from "./machine/glances.ts";
import { type PlacedSources, placeSources } from "./machine/placed-sources.ts";
import { findRunning } from "./machine/program.ts";
import { createWatchPoints } from "./machine/watch-points.ts";
import type { Environment, OnDisk, ReadOptions, ReadSink, Source } from "./source.ts";

export type {
  Catalog,
  Editing,
  KeptSessions,
  Packing,
  PlacedDriver,
  PlacedHome,
  PlacedInterchange,
  PlacedMcpSettings,
  PlacedVendorStore,
  PlacedWorkspace,
  ReadResult,
  Scan,
  Sidecars,
  SourceRoots,
} from "./catalog-contract.ts";

export function openCatalog(
  sources: readonly Source[],
  env: Environment,
  fs: SessionFs,
  kept?: KeptSessions,
  recall?: RecallRepository,
): Catalog {
  return openCatalogAt(placeSources(sources, env), fs, kept, recall);
}

/** As `openCatalog`, for those who open many: where the sources are is found out once. */
export function openCatalogAt(
  places: PlacedSources,
  fs: SessionFs,
  kept?: KeptSessions,
  recall?: RecallRepository,
): Catalog {
  const { env, placed } = places;
  const sources = placed.map(({ source }) => source);
  const chosen = (only?: readonly SourceId[]) =>
    placed.filter(({ source }) => !only || only.includes(source.id));
  const of = (artifact: Pick<Artifact, "source">): Source => {
    const found = sources.find((source) => source.id === artifact.source);
    if (!found) throw new Error(`no source called ${artifact.source}`);
    return found;
  };
  const folders = createFolderRepositories(fs, recall);
  const fsOf = async (artifact: Artifact): Promise<SessionFs> =>
    artifact.vanishedAt !== undefined && kept ? kept.open(artifact) : fs;
  return {
    fs,
    on: (other) => openCatalogAt(places, other),
    recalling: (memory) => openCatalogAt(places, fs, kept, memory),
    until: (signal) =>
      openCatalogAt(
        places,
        createAbortableFs(fs, signal),
        kept && {
          list: kept.list,
          open: async (artifact) => createAbortableFs(await kept.open(artifact), signal),
        },
        recall,
      ),
    sources: places.sources,
    vendorStores: places.vendorStores,
    homes: places.homes,
    mcpSettings: places.mcpSettings,
    placeVars: places.placeVars,
    at: (id, root) => openCatalog([{ ...of({ source: id }), locate: () => [root] }], env, fs),
    glances: createGlances(places, fs),
    watchPoints: createWatchPoints(places, fs),
    folders,
    async scan(only) {
      folders.forget();
      const artifacts: Artifact[] = [];
      const problems: Problem[] = [];
      const sink = {
        artifact: (artifact: Artifact) => void artifacts.push(artifact),
        problem: (problem: Problem) => void problems.push(problem),
      };
      for (const { source, roots } of chosen(only))
        for (const root of roots)
          await orProblem({ source: source.id, path: root }, sink, () => source.scan(fs, root, sink));
      const gone = (await kept?.list()) ?? [];
      const isWanted = ({ source }: Artifact): boolean => !only || only.includes(source);
      return { artifacts: withKept(artifacts, gone.filter(isWanted)), problems };
    },
    sidecars: {
      async note(artifact, before) {
        const { sidecars } = of(artifact);
        const mark = sidecars && (await sidecars.note(await fsOf(artifact), artifact, before));
        return mark ? { ...artifact, sidecars: mark } : artifact;
      },
      changes: (artifact, before) =>
        (artifact.sidecars && of(artifact).sidecars?.changes(before, artifact.sidecars)) ?? {
          changed: [],
          gone: [],
        },
      pathOf: (artifact, name) => of(artifact).sidecars?.pathOf(artifact, name) ?? name,
      read: async (artifact, name) => of(artifact).sidecars?.read(await fsOf(artifact), artifact, name),
    },
    async read(artifact, sink, options) {
      spareMemoryFor(artifact.fingerprint.size);
      optimizeLateFor(artifact.fingerprint.size);
      const source = of(artifact);
      const through = await fsOf(artifact);
      const read = await readIsolated(artifact, sink, options ?? {}, (passing, passed) =>
        source.read(through, artifact, withActions(source, passing), passed),
      );
      const session = options?.asRecorded ? read : await withRepository(read, folders);
      return artifact.vanishedAt === undefined ? session : asVanished(session, artifact.vanishedAt);
    },
    withRepository: (session) => withRepository(session, folders),
    files: async (artifact, onSkipped) =>
      (await of(artifact).files?.of?.(fs, artifact, onSkipped)) ?? [artifact.path],
    whyLeftOut: (source, path) => of({ source }).files?.whyLeftOut?.(path),
    async packing(artifact) {
      const source = of(artifact);
      const through = await fsOf(artifact);
      const skipped: { path: string; why: string }[] = [];
      const onSkipped: OnSkipped = (path, why) => void skipped.push({ path, why });
      const files = (await source.files?.of?.(through, artifact, onSkipped)) ?? [artifact.path];
      return { folder: source.files?.folderOf?.(artifact) ?? artifact.root, files, skipped, fs: through };
    },
    launch: (artifact, session) => of(artifact).start?.command(artifact, session),
    async workspaces(only) {
      const found: PlacedWorkspace[] = [];
      for (const { source, roots } of chosen(only))
        for (const root of source.workspaces ? roots : [])
          for (const each of (await source.workspaces?.list(fs, root)) ?? [])
            found.push({ ...each, source: source.id });
      return found;
    },
    launchVars(artifact) {
      const name = of(artifact).start?.rootVariable;
      return name !== undefined && memberOf(env.vars, name) ? { [name]: artifact.root } : {};
    },
    async drivers() {
      const found: PlacedDriver[] = [];
      for (const { source, roots } of placed) {
        const [root] = roots;
        if (source.start?.driver && root !== undefined)
          found.push({
            ...{ source: source.id, label: source.label, root },
            driver: await source.start.driver(),
          });
      }
      return found;
    },
    async interchanges() {
      const found: PlacedInterchange[] = [];
      for (const { id, interchange } of sources)
        if (interchange) found.push({ source: id, interchange: await interchange() });
      return found;
    },
    toolEdits: async (source) => (await of({ source }).toolEdits?.()) ?? (() => []),
    renewsIds: (source) => of({ source }).renewsIds ?? false,
    async bornMs({ path, vanishedAt }) {
      if (vanishedAt !== undefined) return undefined;
      const [stat] = await statEach(fs, [path]);
      return stat === undefined || stat instanceof Error ? undefined : stat.birthtimeMs;
    },
    readsRanges: (source) => of({ source }).readsRanges ?? false,
    canContinue: async (artifact, bookmark) =>
      (await of(artifact).watch?.canContinue?.(fs, artifact, bookmark)) ?? false,
    async context(artifact) {
      const source = of(artifact);
      if (!source.context) {
        throw new AppError(
          "not-supported",
          `Rethread does not know what ${source.label} would send to the model`,
          {
            say: "Read the conversation instead",
            remedy: { action: "show", session: `${artifact.source}:${artifact.id}` },
          },
        );
      }
      try {
        return await source.context.messages(await fsOf(artifact), artifact);
      } catch (error) {
        if (error instanceof AppError) throw error;
        const isOutside = error instanceof Error && "code" in error;
        throw new AppError(
          "unreadable",
          `${artifact.path} cannot be read: ${reasonOf(error)}`,
          isOutside
            ? {
                say: "See what is wrong with it",
                remedy: { action: "doctor", args: { source: artifact.source } },
              }
            : "This is a defect in rethread. Please report it with the output of RETHREAD_DEBUG=1",
          error,
        );
      }
    },
    async contextLimit(artifact) {
      try {
        return await of(artifact).context?.limit?.(await fsOf(artifact), artifact);
      } catch (error) {
        if (error instanceof AppError || (error instanceof Error && "code" in error)) return undefined;
        throw error;
      }
    },
    async image(artifact, place, most) {
      const reader = await of(artifact).images?.();
      if (!reader) return undefined;
      const { readImageBytes } = await import("./log/image-bytes.ts");
      return readImageBytes(await fsOf(artifact), artifact, reader, place, most);
    },
    abilities: () => Promise.all(sources.map(abilitiesOf)),
    source: (id) => of({ source: id }),
    handoff: async (source) => of({ source }).handoff?.(),
    async editing(artifact) {
      const source = of(artifact);
      const editor = await source.editor?.();
      if (editor && artifact.vanishedAt === undefined) return { source, editor };
      throw new AppError(
        editor ? "session-gone" : "not-supported",
        editor
          ? "The files of this session are gone, and only rethread's copy is left"
          : cannot("change", source.label),
        {
          say: "Export it instead",
          remedy: {
            action: "export",
            ...(artifact.id !== undefined && { session: `${artifact.source}:${artifact.id}` }),
          },
        },
      );
    },
    async owners(sessions, look) {
      const found = new Map<string, number>();
      for (const { source, roots } of placed) {
        const own = sessions.filter((session) => session.source === source.id);
        const isBelowNone = ({ path }: OnDisk): boolean => !roots.some((root) => isAtOrBelow(path, root));
        for (const root of own.length > 0 ? roots : []) {
          // What links lead to may lie anywhere; the first root stands for all of that.
          const inRoot = own.filter(
            (each) => isAtOrBelow(each.path, root) || (root === roots[0] && isBelowNone(each)),
          );
          if (inRoot.length === 0) continue;
          for (const [path, pid] of (await source.processes?.owners?.(fs, root, inRoot, look)) ?? [])
            found.set(path, pid);
          const others = inRoot.filter(({ path }) => !found.has(path));
          if (!look || others.length === 0) continue;
          for (const [path, pid] of await findRunning(source, env, { fs, root }, others, look))
            found.set(path, pid);
        }
      }
      return found;
    },
    async diagnose(only, look) {
      const problems: Problem[] = [];
      const sink = { problem: (problem: Problem) => void problems.push(problem) };
      for (const { source, roots } of chosen(only)) {
        for (const root of roots)
          await orProblem({ source: source.id, path: root }, sink, async () =>
            source.health?.diagnose(fs, root, sink, look),
          );
      }
      return problems;
    },
  };
}

/** The same catalog after a scan: the next full scan returns this one. */
export function startingWith(catalog: Catalog, scan: Scan): Catalog {
  let made: Scan | undefined = scan;
  const scanned = (within: Catalog): Catalog => ({
    ...within,
    until: (signal) => scanned(within.until(signal)),
    recalling: (recall) => scanned(within.recalling(recall)),
    async scan(only) {
      const [ready, isWhole] = [made, only === undefined];
      made = undefined;
      return ready && isWhole ? ready : within.scan(only);
    },
  });
  return scanned(catalog);
}

/** Adds our copies of sessions that are nowhere else; one of all of a session is better than what is left of it. */
function withKept(found: readonly Artifact[], kept: readonly Artifact[]): readonly Artifact[] {
  if (kept.length === 0) return found;
  const whole = new Set(found.filter(isWhole).map(formatKey));
  const added = kept.filter((artifact) => !whole.has(formatKey(artifact)));
  const better = new Set(added.filter(isWhole).map(formatKey));
  return [...found.filter((artifact) => isWhole(artifact) || !better.has(formatKey(artifact))), ...added];
}

/** Its program no longer has the session, so it cannot be continued. */
function asVanished({ resume: _, openIn: __, ...session }: Session, vanishedAt: string): Session {
  return { ...session, vanishedAt };
}

/** Adds to every tool call what it does, so that no other code has to know a vendor's tools. */
function withActions(source: Source, sink: ReadSink): ReadSink {
  if (!source.actionOf) return sink;
  const { brief } = sink;
  return {
    event(event) {
      const act = event.kind === "tool-call" ? source.actionOf?.(event.name, event.input) : undefined;
      sink.event(act && event.kind === "tool-call" ? { ...event, act } : event);
    },
    problem: (problem) => sink.problem(problem),
    ...(brief && {
      brief: {
        ...brief,
        called(at, { callId, name, input, label }) {
          brief.called(at, { callId, name, input, label, act: source.actionOf?.(name, input) });
        },
      },
    }),
  };
}

/** Reads one session whole; for small sessions and tests. */
export async function collect(
  catalog: Pick<Catalog, "read">,
  artifact: Artifact,
  options?: ReadOptions,
): Promise<ReadResult> {
  const events: Event[] = [];
  const problems: Problem[] = [];
  const sink: ReadSink = {
    event: (event) => void events.push(event),
    problem: (problem) => void problems.push(problem),
  };
  const session = await catalog.read(artifact, sink, options);
  return { session, events, problems };
}
