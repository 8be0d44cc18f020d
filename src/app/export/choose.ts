/** Sessions that are written down for others: which of them, and in which of the forms. */
import { resolve } from "node:path";
import { AppError } from "../../model/errors.ts";
import type { Artifact } from "../../model/session/session.ts";
import { localFs } from "../../platform/fs/local.ts";
import { findHeads, namedHeads } from "../../query/export.ts";
import type { Progress, SessionEntry } from "../../query/heads.ts";
import type { Catalog } from "../../sources/catalog.ts";
import { problemInDemo } from "../choose-catalog.ts";
import type { AppConfig } from "../config.ts";
import type {
  App,
  BundleOf,
  BundleReport,
  ExportOf,
  ExportReport,
  TranscriptOf,
  TranscriptReport,
} from "../contract.ts";
import type { Request } from "../request.ts";
import { exportBundle } from "./bundle.ts";
import { exportSessions } from "./export.ts";
import { writeNewFile } from "./file.ts";
import type { OutputGuard } from "./output-guard.ts";
import { isReduction, type PlanCopy, reduceForExport } from "./reduced.ts";
import { exportTranscript } from "./transcript.ts";

interface ExportingOptions extends Pick<Request, "catalog" | "demo" | "dataFolder" | "find" | "withParents"> {
  readonly config: AppConfig;
  readonly guard: OutputGuard;
  /** The sessions that match, latest first. */
  list(where: ExportOf["where"]): ReturnType<App["list"]>;
  /** The plan of a smaller copy. */
  readonly planCopy: PlanCopy;
}

export interface Exporting {
  export(request: ExportOf, progress?: Progress): Promise<ExportReport>;
  exportBundle(request: BundleOf, progress?: Progress): Promise<BundleReport & { readonly gone: number }>;
  exportTranscript(request: TranscriptOf): Promise<TranscriptReport & { readonly path?: string }>;
}

type Which = Pick<ExportOf, "names" | "where">;

export function createExporting({
  config,
  catalog,
  demo,
  dataFolder,
  list,
  guard,
  find,
  withParents,
  planCopy,
}: ExportingOptions): Exporting {
  const homeDir = demo ? dataFolder : config.environment.homeDir;
  const { folder, now } = config;
  const headsOf = async ({ names, where }: Which): Promise<{ heads: SessionEntry[]; gone: number }> => {
    const found =
      names.length > 0
        ? { heads: await namedHeads(catalog, names, find), gone: 0 }
        : await findHeads(catalog, (await list(where)).sessions);
    const sessions = await withParents(found.heads.map(({ session }) => session));
    const heads = found.heads.map((head, at) => ({
      ...head,
      session: sessions[at] ?? head.session,
      problems: demo ? head.problems.map(problemInDemo) : head.problems,
    }));
    return { ...found, heads };
  };
  return {
    async export({ names, where, ...request }, progress) {
      const { heads, gone } = await headsOf({ names, where });
      const isFiltered = names.length === 0;
      return exportSessions(
        catalog,
        heads,
        { ...request, gone, isFiltered, ...(progress && { progress }) },
        { folder, homeDir, guard, fs: localFs },
      );
    },
    async exportBundle({ names, where, ...request }, progress) {
      const { heads, gone } = await headsOf({ names, where });
      return {
        ...(await exportBundle(catalog, heads, {
          ...request,
          guard,
          folder,
          now: now(),
          ...(progress && { progress }),
        })),
        gone,
      };
    },
    async exportTranscript({ names, where, out, force, write, redact, format, reduction = {} }) {
      const { heads } = await headsOf({ names, where });
      const [head] = heads;
      if (!head || heads.length > 1) throw oneOnly(heads.length);
      const request = {
        format,
        redact,
        homeDir,
        ...(isReduction(reduction) && {
          reduce: (from: Catalog, artifact: Artifact) => reduceForExport(from, artifact, reduction, planCopy),
        }),
      };
      if (out === undefined) return exportTranscript(catalog, head, request, write);
      const path = resolve(folder, out);
      let report: Awaited<ReturnType<typeof exportTranscript>> | undefined;
      await writeNewFile(path, { guard, replace: force, mode: 0o600 }, async (writeFile) => {
        report = await exportTranscript(catalog, head, request, writeFile);
      });
      if (!report) throw new Error("the transcript was not told");
      return { ...report, path };
    },
  };
}

const oneOnly = (count: number): AppError =>
  new AppError(
    "usage",
    `This format holds one session, and ${count === 0 ? "none matches" : `${count} match`}`,
    "Name one session, or put them all into one file with --format bundle",
  );
