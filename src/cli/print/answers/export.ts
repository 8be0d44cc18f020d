/** What an export did, in a line or two: how much went where, and what was taken out of it. */
import type { App, BundleReport, ExportReport } from "../../../app/contract.ts";
import { filesOf } from "../../../model/bundle.ts";
import type { EditStats } from "../../../model/plan-facts.ts";
import { commandText } from "../../../present/text/command-text.ts";
import { amount, bytes, plural } from "../../../present/text/measure.ts";
import { wrap } from "../../../present/text/text.ts";
import { ledgerLines, sizeLine } from "../changes/plan.ts";

interface Page {
  readonly columns: number;
  readonly isDemo: boolean;
}

type Redactions = NonNullable<ExportReport["redactions"]>;

export function printWritten({ sessions, path, gone }: ExportReport, isDemo: boolean): string[] {
  const missing =
    gone === 0
      ? []
      : [`Left out ${plural(gone, "session", "sessions")}: the files are gone and no copy was kept`];
  if (sessions.length === 0)
    return [...missing, `No session matches. See all: ${commandText(["list"], isDemo)}`];
  if (path === undefined) return missing;
  const [first] = sessions;
  const count = plural(sessions.length, "session", "sessions");
  return [...missing, `Wrote ${first?.file === undefined ? path : `${count} to ${path}`}`];
}

export function printRedactions(redactions: Redactions, columns: number): string[] {
  const kinds = redactions.map(
    ({ kind, secrets }) => `${amount(secrets)} ${kind}${secrets === 1 ? "" : "s"}`,
  );
  return [
    ...wrap(
      kinds.length === 0 ? "No secret was found to redact." : `Redacted: ${kinds.join(", ")}.`,
      columns,
    ),
    ...wrap("No program recognizes every secret: check before you share.", columns),
  ];
}

/** A note that nothing is redacted, for the person who gets the file. */
const unredacted = (isDemo: boolean): string =>
  `Nothing is redacted, not even secrets. To share a session, export it as text: rethread export <session> --redact${isDemo ? " --demo" : ""}`;

export function printBundled(
  { path, manifest, losses, gone }: BundleReport & { gone: number },
  { columns, isDemo }: Page,
): string[] {
  const files = manifest.parts.flatMap(filesOf);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const count = plural(manifest.parts.length, "session", "sessions");
  return [
    ...(gone === 0
      ? []
      : [`Left out ${plural(gone, "session", "sessions")}: the files are gone and no copy was kept`]),
    ...losses.flatMap((loss) => wrap(`Left out: ${loss}`, columns)),
    ...wrap(`Wrote ${count} (${plural(files.length, "file", "files")}, ${bytes(size)}) to ${path}`, columns),
    ...wrap(unredacted(isDemo), columns),
  ];
}

/** How its own program takes it in. */
const TAKEN_IN = {
  copilot: () => "Import it into Copilot CLI with: copilot sessions import <file>",
  vscode: (isDemo: boolean) =>
    `Open it in VS Code with Chat: Import Chat…, even while VS Code is running; when it is closed: rethread import <file>${isDemo ? " --demo" : ""}`,
};

const headOf = ({ removedTokens, removedTurns }: EditStats): string =>
  removedTokens === 0 && removedTurns === 0 ? "All turns fit:" : "A smaller copy:";

export function printTranscript(
  { path, losses, redactions, stats, ledger }: Awaited<ReturnType<App["exportTranscript"]>>,
  format: keyof typeof TAKEN_IN,
  { columns, isDemo }: Page,
): string[] {
  return [
    ...(stats ? [headOf(stats), sizeLine(stats), ...ledgerLines(ledger ? { ledger } : {})] : []),
    ...losses.flatMap((loss) => wrap(`Left out: ${loss}`, columns)),
    ...(path === undefined ? [] : [`Wrote ${path}`, ...wrap(TAKEN_IN[format](isDemo), columns)]),
    ...(redactions ? [] : wrap(unredacted(isDemo), columns)),
  ];
}
