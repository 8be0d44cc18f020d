/** Looks below the roots of those sources that remember what they saw there. */
import type { Problem } from "../../model/problem.ts";
import type { Artifact, SourceId } from "../../model/session/session.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { Remembered } from "../source.ts";
import type { PlacedSources } from "./placed-sources.ts";

export interface Glances {
  /** Of the sources that can be looked at in this way. */
  readonly places: readonly { readonly source: SourceId; readonly root: string }[];
  remember(
    source: SourceId,
    root: string,
    artifacts: readonly Artifact[],
    times: { readonly beganMs: number; readonly quietMs: number },
  ): Promise<Remembered | undefined>;
  /** Nothing where only a look at everything can tell. */
  glance(source: SourceId, root: string, before: Remembered): Promise<Glance | undefined>;
}

export interface Glance {
  /** Those that may not be as they were. */
  readonly artifacts: readonly Artifact[];
  readonly problems: readonly Problem[];
  /** How many others there are. */
  readonly quiet: number;
}

export function createGlances({ placed }: Pick<PlacedSources, "placed">, fs: SessionFs): Glances {
  // Only a disk changes the time of a folder with what is in it.
  const able = fs.isDisk ? placed.filter(({ source }) => source.watch?.glancing) : [];
  const of = (id: SourceId) => able.find(({ source }) => source.id === id)?.source.watch?.glancing;
  /** Whatever cannot be looked at: the look at everything tells what is wrong with it. */
  const orNothing = async <T>(look: () => Promise<T | undefined> | undefined): Promise<T | undefined> => {
    try {
      return await look();
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      return undefined;
    }
  };
  return {
    places: able.flatMap(({ source, roots }) => roots.map((root) => ({ source: source.id, root }))),
    remember: (source, root, artifacts, times) =>
      orNothing(() => of(source)?.remember(fs, root, artifacts, times)),
    async glance(source, root, before) {
      const artifacts: Artifact[] = [];
      const problems: Problem[] = [];
      const sink = {
        artifact: (artifact: Artifact) => void artifacts.push(artifact),
        problem: (problem: Problem) => void problems.push(problem),
      };
      const quiet = await orNothing(() => of(source)?.glance(fs, root, before, sink));
      return quiet === undefined ? undefined : { artifacts, problems, quiet };
    },
  };
}
