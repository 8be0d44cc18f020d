/** What an export did, in a line or two: how much went where, and what was taken out of it. */
import type { ExportReport } from "../../app/contract.ts";
import { amount, plural } from "./measure.ts";
import { wrap } from "./text.ts";

type Redactions = NonNullable<ExportReport["redactions"]>;

export function printWritten({ sessions, path, gone }: ExportReport): string[] {
  const missing =
    gone === 0 ? [] : [`Left out ${plural(gone, "session", "sessions")}: files gone, and no copy was kept`];
  if (sessions.length === 0) return [...missing, "No session fits. All of them: rethread list"];
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
    ...wrap("No program knows every secret: look before you share.", columns),
  ];
}
