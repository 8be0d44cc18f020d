/** What was exported, as JSON. */
import type { BundleReport, ExportReport, TranscriptReport } from "../../app/contract.ts";
import { type Home, toSessionJson } from "./shapes.ts";

export const toExportedJson = ({ path, sessions, gone, redactions }: ExportReport, home: Home) => ({
  path: path ?? null,
  sessions: sessions.map(({ session, file }) => ({ ...toSessionJson(session, home), file: file ?? null })),
  gone,
  redactions: redactions ?? null,
});

export const toBundledJson = ({
  path,
  manifest,
  losses,
  gone,
}: BundleReport & { readonly gone: number }) => ({
  path,
  sessions: manifest.parts.map(({ source, id, title }) => ({ source, id: id ?? "", title: title ?? null })),
  gone,
  losses,
  redactions: null,
});

export const toTranscribedJson = ({
  session: { source, id, title },
  losses,
  path,
  redactions,
  stats,
  ledger,
}: TranscriptReport & { readonly path?: string }) => ({
  path: path ?? null,
  sessions: [{ source, id, title }],
  gone: 0,
  losses,
  redactions: redactions ?? null,
  stats: stats ?? null,
  ledger: ledger ?? null,
});
