/** Sessions that are written down for others: which of them, and in which of the forms. */
import { resolve } from "node:path";
import { AppError } from "../../model/errors.ts";
import { localFs } from "../../platform/fs/local.ts";
import { findHeads, namedHeads } from "../../query/export.ts";
import type { Head, Progress } from "../../query/heads.ts";
import type { Found } from "../../query/resolve.ts";
import type { Catalog } from "../../sources/catalog.ts";
import { problemInDemo } from "../choose-catalog.ts";
import type { Config } from "../config.ts";
import type { App, BundleOf, ExportOf, NamedRequest, TranscriptOf } from "../contract.ts";
import { exportBundle } from "./bundle.ts";
import { exportSessions } from "./export.ts";
import { writeNewFile } from "./file.ts";
import type { OutputGuard } from "./output-guard.ts";
import { exportTranscript } from "./transcript.ts";

interface ExportingOptions {
  readonly config: Config;
  readonly catalog: Catalog;
  readonly demo: App["demo"];
  readonly dataFolder: string;
  readonly list: App["list"];
  readonly guard: OutputGuard;
  readonly find: (name: string, request: NamedRequest) => Promise<Found>;
}

type Exporting = Pick<App, "export" | "exportBundle" | "exportTranscript">;
type Which = Pick<ExportOf, "names" | "where">;

export function createExporting({
  config,
  catalog,
  demo,
  dataFolder,
  list,
  guard,
  find,
}: ExportingOptions): Exporting {
  const homeDir = demo ? dataFolder : config.environment.homeDir;
  const { folder, now } = config;
  const headsOf = async (
    { names, where }: Which,
    progress: Progress | undefined,
  ): Promise<{ heads: Head[]; gone: number }> => {
    const asked = { ...where, ...(progress && { progress }) };
    const found =
      names.length > 0
        ? { heads: await namedHeads(catalog, names, (name) => find(name, asked)), gone: 0 }
        : await findHeads(catalog, (await list(where, progress)).sessions);
    const heads = demo
      ? found.heads.map((head) => ({ ...head, problems: head.problems.map(problemInDemo) }))
      : found.heads;
    return { ...found, heads };
  };
  return {
    async export({ names, where, ...request }) {
      const { heads, gone } = await headsOf({ names, where }, request.progress);
      const isFiltered = names.length === 0;
      return exportSessions(
        catalog,
        heads,
        { ...request, gone, isFiltered },
        { folder, homeDir, guard, fs: localFs },
      );
    },
    async exportBundle({ names, where, ...request }: BundleOf) {
      const { heads, gone } = await headsOf({ names, where }, undefined);
      return { ...(await exportBundle(catalog, heads, { ...request, guard, folder, now: now() })), gone };
    },
    async exportTranscript({ names, where, out, force, stdout, redact, format }: TranscriptOf) {
      const { heads } = await headsOf({ names, where }, undefined);
      const [head] = heads;
      if (!head || heads.length > 1) throw oneOnly(heads.length);
      const request = { format, redact, homeDir };
      if (out === undefined) return exportTranscript(catalog, head, request, stdout);
      const path = resolve(folder, out);
      let report: Awaited<ReturnType<typeof exportTranscript>> | undefined;
      await writeNewFile(path, { guard, replace: force, mode: 0o600 }, async (write) => {
        report = await exportTranscript(catalog, head, request, write);
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
