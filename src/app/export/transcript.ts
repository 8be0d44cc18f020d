/** Writes a session in a form that a vendor's own program imports: what its model would receive, or all of it. */

import { AppError } from "../../model/errors.ts";
import type { EditStats } from "../../model/plan-facts.ts";
import type { Redaction } from "../../model/redact/redact.ts";
import type { Ledger } from "../../model/reduce/reduction.ts";
import type { ContextMessage } from "../../model/session/context.ts";
import type { Artifact, Session } from "../../model/session/session.ts";
import { learnSecrets } from "../../query/export.ts";
import type { SessionEntry } from "../../query/heads.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { ReducedSession } from "./reduced.ts";

export interface TranscriptReport {
  readonly session: Session;
  /** What the form cannot carry of it, in words. */
  readonly losses: readonly string[];
  readonly redactions?: readonly Redaction[];
  /** Of a smaller copy: what it has of the session. */
  readonly stats?: EditStats;
  readonly ledger?: Ledger;
}

export interface TranscriptRequest {
  /** By the name of the form. */
  readonly format: string;
  readonly redact: boolean;
  readonly homeDir: string;
  /** Makes a smaller copy to be written in place of the session. */
  reduce?(catalog: Catalog, artifact: Artifact): Promise<ReducedSession>;
}

export async function exportTranscript(
  catalog: Catalog,
  head: SessionEntry,
  { format, redact, homeDir, reduce }: TranscriptRequest,
  write: (line: string) => void,
): Promise<TranscriptReport> {
  const placed = (await catalog.interchanges()).find(({ interchange }) => interchange.format === format);
  if (!placed) throw new Error(`no source has the form ${format}`);
  const { source, interchange } = placed;
  const { session } = head;
  // What one program makes up for its model (reminders, its own prompts) is nothing to another.
  if (head.artifact.source !== source) throw notItsOwn(catalog, source, session);
  const reduced = await reduce?.(catalog, head.artifact);
  const { artifact, catalog: from } = reduced ?? { artifact: head.artifact, catalog };
  const redactor = redact ? await learnSecrets(catalog, [head], [homeDir], { whole: false }) : undefined;
  const clean = <T>(value: T): T => (redactor ? redactor.value(value) : value);
  const report = (losses: readonly string[]): TranscriptReport => ({
    session: clean(session),
    losses,
    ...(redactor && { redactions: redactor.report() }),
    ...(reduced?.stats && { stats: reduced.stats }),
    ...(reduced?.ledger && { ledger: reduced.ledger }),
  });
  if (!interchange.write) {
    const { fs } = await from.packing(artifact);
    return report((await interchange.copy?.(fs, artifact, { clean, write })) ?? []);
  }
  const seen = await lookThrough(from, { artifact });
  const messages = await from.context(artifact);
  if (messages.length === 0)
    throw new AppError(
      "unreadable",
      `The model would receive nothing from session ${session.id}, so there is nothing to write`,
      { say: "Read the session", remedy: { action: "show", session: `${session.source}:${session.id}` } },
    );
  const transcript = {
    session: clean(session),
    messages: messages.map(({ origin, ...message }) => ({ ...clean(message), ...(origin && { origin }) })),
    timeOf: ({ origin }: ContextMessage) => (origin ? seen.times.get(origin.line) : undefined),
    hasFailed: (callId: string) => seen.failed.has(callId),
  };
  for (const line of interchange.write(transcript)) write(line);
  const { ledger, ...told } = report(lossesOf(seen.hasCompaction));
  return { ...told, ...(ledger && { ledger: withoutThoughts(ledger) }) };
}

/** Messages hold no thinking, whatever the smaller copy kept of it. */
const withoutThoughts = ({ thoughts: { kept, cut, dropped }, ...ledger }: Ledger): Ledger => ({
  ...ledger,
  thoughts: { kept: 0, cut: 0, dropped: kept + cut + dropped },
});

interface Seen {
  /** Of records, by their lines. */
  readonly times: ReadonlyMap<number, string>;
  readonly failed: ReadonlySet<string>;
  readonly hasCompaction: boolean;
}

/** What events know and messages do not tell. */
async function lookThrough(catalog: Catalog, { artifact }: Pick<SessionEntry, "artifact">): Promise<Seen> {
  const times = new Map<number, string>();
  const failed = new Set<string>();
  let hasCompaction = false;
  await catalog.read(
    artifact,
    {
      event(event) {
        if (event.time !== undefined && event.origin.file === undefined)
          times.set(event.origin.line, event.time);
        if (event.kind === "tool-result" && event.status === "failed") failed.add(event.callId);
        if (event.kind === "compaction" && event.agent === undefined) hasCompaction = true;
      },
      problem: () => undefined, // told with the head
    },
    { textLimit: 0 },
  );
  return { times, failed, hasCompaction };
}

function notItsOwn(catalog: Catalog, source: string, { source: other, id }: Session): AppError {
  const labels = new Map(catalog.sources.map((each) => [each.source as string, each.label]));
  return new AppError(
    "not-supported",
    `Only sessions of ${labels.get(source)} can be written in its format, and this is a session of ${labels.get(other)}`,
    {
      say: "Export text, or a bundle",
      remedy: { action: "export", session: `${other}:${id}`, args: { format: "bundle" } },
    },
  );
}

const lossesOf = (hasCompaction: boolean): string[] => [
  ...(hasCompaction ? ["the turns before the last compaction, which its summary replaces"] : []),
  "thinking, the work of sub-agents, usage, and the files beside the log (plan, checkpoints, file states)",
  "times, if Copilot CLI itself imports it: it gives every record the time of the import",
];
