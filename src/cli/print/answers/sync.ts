/** Prints what may leave for a hub, what would, and what did. */
import type { DryRun, HeldBack, Preview, SyncReport, SyncStatus } from "../../../app/sync/contract.ts";
import { letsNothingLeave } from "../../../app/sync/rule-names.ts";
import { formatKey, shortId } from "../../../model/values/id.ts";
import { picturesIn } from "../../../present/json/sync.ts";
import type { Page } from "../../../present/page.ts";
import { amount, bytes, plural } from "../../../present/text/measure.ts";
import { cutTitle, fold, oneLine, pad, wrap } from "../../../present/text/text.ts";
import { type Column, toTable } from "../terminal/table.ts";

type Share = SyncStatus["repositories"][number];

const WHY: Readonly<Record<HeldBack, string>> = {
  private: "no, denied by its session",
  denied: "no, denied",
  "not-allowed": "no, not allowed",
  "no-repository": "no, its folder is not allowed",
};

interface SyncPage extends Page {
  readonly isDemo: boolean;
}

/** A text with commands in it, for whoever looks at the demo. */
const commands = (text: string, isDemo: boolean): string =>
  isDemo ? text.replaceAll(/rethread [^;.)]+/g, "$& --demo") : text;

export function printSyncStatus(status: SyncStatus, page: SyncPage): string[] {
  const { style, columns } = page;
  const { hub, machine, pushed, waiting, toDelete, recipient } = status;
  const counts = [
    `${plural(pushed, "session", "sessions")} on the hub`,
    `${amount(waiting)} waiting`,
    ...(toDelete > 0 ? [`${amount(toDelete)} to be deleted there`] : []),
  ].join(", ");
  const facts: readonly (readonly [string, string])[] = [
    ["Hub", hub ?? "none"],
    ["Machine", `${oneLine(machine.name)} (${machine.id.slice(0, 8)})`],
    ["Sessions", counts],
    ["Key", recipient ?? commands("none; sealing sessions needs one: rethread hub key new", page.isDemo)],
  ];
  return [
    ...facts.flatMap(([name, text]) => hanging(style.dim(pad(name, 10)), 10, text, columns)),
    "",
    ...status.gates.flatMap(({ gate, isOpen, says, hint }) => [
      ...hanging(
        `${isOpen ? style.green("open  ") : style.red("closed")}  ${pad(gate, 14)}`,
        22,
        oneLine(says),
        columns,
      ),
      ...(hint === undefined
        ? []
        : hanging(" ".repeat(22), 22, `→ ${commands(hint, page.isDemo)}`, columns).map(style.dim)),
    ]),
    ...(status.repositories.length === 0 ? [] : ["", ...shareTable(status.repositories, page)]),
    ...ruleLines(status, page),
  ];
}

export function shareTable(shares: readonly Share[], { style, columns }: Page): string[] {
  const table: Column<Share>[] = [
    {
      head: "REPOSITORY",
      text: ({ repository }) => oneLine(repository ?? "(no repository)"),
      paint: ({ sends }) => (sends === "nothing" ? style.dim : style.cyan),
      min: 18,
    },
    { head: "SESSIONS", align: "right", text: ({ sessions }) => amount(sessions) },
    {
      head: "SIZE",
      align: "right",
      text: ({ bytes: size }) => bytes(size),
      paint: () => style.dim,
      gives: 1,
    },
    { head: "LEAVES", text: leaves, paint: ({ sends }) => (sends === "nothing" ? style.dim : style.green) },
  ];
  return toTable(shares, table, columns, style.dim);
}

const leaves = ({ sends, why }: Share): string =>
  sends === "plain" ? "yes" : sends === "sealed" ? "yes, sealed" : why === undefined ? "no" : WHY[why];

export function ruleLines(
  { rules, privates }: Pick<SyncStatus, "rules" | "privates">,
  { style, columns }: Page,
): string[] {
  const rows = [
    ...rules.map(({ kind, pattern, effect }) => ({
      effect: effect === "sealed" ? "seal" : effect,
      kind,
      name: oneLine(pattern),
    })),
    ...privates.map((session) => ({
      effect: session.mode === "sealed" ? "seal" : "deny",
      kind: "session",
      name: formatKey(session),
    })),
  ];
  if (rows.length === 0) return [];
  return [
    "",
    ...toTable(
      rows,
      [
        { head: "RULE", text: ({ effect }) => effect },
        { head: "FOR", text: ({ kind }) => kind, paint: () => style.dim },
        { head: "NAME", text: ({ name }) => name, min: 20 },
      ],
      columns,
      style.dim,
    ),
  ];
}

/** What a person is asked to agree to. */
export function printConsent(status: SyncStatus, user: string, page: SyncPage): string[] {
  const { style, columns } = page;
  const items = (texts: readonly string[]): string[] =>
    texts.flatMap((text) => hanging("  - ", 4, text, columns));
  const listed = status.repositories.filter(isListed(status));
  const others = status.repositories.filter((share) => !listed.includes(share));
  const stay = others.reduce((sum, { sessions }) => sum + sessions, 0);
  return [
    ...wrap(
      `This is the first sync of this machine (${oneLine(status.machine.name)}) with ${status.hub}, as ${oneLine(user)}.`,
      columns,
    ),
    "",
    style.bold("Would be sent"),
    ...shareTable(
      listed.map((share) => (share.sends === "nothing" ? { ...share, sends: "plain" as const } : share)),
      page,
    ),
    "",
    style.bold("Of each session leaves"),
    ...items(status.sends),
    "",
    style.bold("What never leaves"),
    ...items(status.leavesOut),
    ...(stay > 0 ? items([`here: ${plural(stay, "session", "sessions")} of no repository, or denied`]) : []),
    "",
    ...wrap(
      commands(
        "On the hub it is yours alone until you share it with a team. See it session by session: rethread sync --dry-run",
        page.isDemo,
      ),
      columns,
    ).map(style.dim),
  ];
}

/** Where no rule lets anything leave, all repositories that are listed would be allowed. */
export const isListed =
  ({ rules }: Pick<SyncStatus, "rules">) =>
  ({ sends, why }: Share): boolean =>
    sends !== "nothing" || (letsNothingLeave(rules) && why === "not-allowed");

export function printSyncReport(report: SyncReport, page: SyncPage): string[] {
  const { style, columns } = page;
  const { created, updated, unchanged, vanished, deleted, takenBack, heldBack, allowed, hub } = report;
  const said = { clean: "Synced", partial: "Partly synced", interrupted: "Interrupted" }[report.outcome];
  const paint = report.outcome === "clean" ? style.green : style.yellow;
  const places = sumOf(report.redacted);
  const closing = [
    `created ${amount(created)}`,
    `updated ${amount(updated)}`,
    `eventsUploaded ${amount(report.eventsUploaded)} (${bytes(report.bytes)})`,
    `failed ${amount(report.failed)}`,
    `backfillQueued ${amount(report.backfillQueued)}`,
    `backfillFailed ${amount(report.backfillFailed)}`,
    `redacted ${amount(places)}`,
  ].join(", ");
  const rest = [
    `${amount(unchanged)} unchanged`,
    ...(heldBack > 0
      ? [`${amount(heldBack)} held back (${commands("rethread sync status", page.isDemo)})`]
      : []),
    ...(vanished > 0 ? [`${amount(vanished)} gone here, and marked so there`] : []),
    ...(deleted > 0 ? [`${amount(deleted)} deleted there`] : []),
    ...(takenBack > 0 ? [`${amount(takenBack)} deleted there from another machine, and not sent again`] : []),
  ].join(", ");
  return [
    ...problemLines(report.problems, page),
    ...(report.redacted.length === 0
      ? []
      : wrap(`Redacted: ${kindsOf(report.redacted)}`, columns).map(style.dim)),
    ...wrap(`${said} with ${hub}: ${sentence(report)}.`, columns).map((line, at) =>
      at === 0 ? line.replace(said, paint) : line,
    ),
    // By the names of the JSON: scripts look for them.
    ...wrap(`${closing}.`, columns).map(style.dim),
    ...wrap(`${rest}.`, columns).map(style.dim),
    ...(allowed.length > 0
      ? wrap(
          `Allowed from now on: ${allowed.map(oneLine).join(", ")} (see ${commands("rethread sync status", page.isDemo)})`,
          columns,
        )
      : []),
    ...(report.outcome === "interrupted"
      ? fold(commands("What was acknowledged is safe; continue with: rethread sync", page.isDemo), columns)
      : []),
    ...(report.outcome === "partial"
      ? fold(commands("What failed is sent with the next sync: rethread sync", page.isDemo), columns)
      : []),
  ];
}

/** What happened, in words of no program. */
function sentence(report: SyncReport): string {
  const { created, updated, eventsUploaded, failed, backfillQueued, backfillFailed } = report;
  const sessions = (count: number): string => plural(count, "session", "sessions");
  const are = (count: number): string => (count === 1 ? "is" : "are");
  const places = sumOf(report.redacted);
  const pictures = picturesIn(report.leftOut);
  const said = [
    ...(created > 0 ? [`${sessions(created)} ${are(created)} new there`] : []),
    ...(updated > 0 ? [`${sessions(updated)} went on there`] : []),
    ...(eventsUploaded > 0 ? [`${plural(eventsUploaded, "event", "events")} sent`] : []),
    ...(places > 0 ? [`${plural(places, "secret", "secrets")} replaced by marks`] : []),
    ...(pictures > 0 ? [`${plural(pictures, "picture", "pictures")} left out`] : []),
    ...(backfillQueued > 0 ? [`${sessions(backfillQueued)} will soon be found by search`] : []),
    ...(backfillFailed > 0 ? [`${sessions(backfillFailed)} cannot be searched yet`] : []),
    ...(failed > 0 ? [`${sessions(failed)} could not be sent`] : []),
  ];
  return said.length > 0 ? said.join(", ") : "nothing new to send";
}

function problemLines(problems: SyncReport["problems"], { style, columns }: Page): string[] {
  return problems.flatMap(({ session, code, message, hint }) => {
    const who = session ? `${shortId(session.id)} ` : "";
    return [
      ...hanging(`${style.red("•")} `, 2, oneLine(`${who}${message} (${code})`), columns),
      ...hanging("  ", 2, `→ ${oneLine(hint)}`, columns).map(style.dim),
    ];
  });
}

export function printDryRun(run: DryRun, page: Page): string[] {
  const { style, columns } = page;
  const { sessions, unchanged, heldBack, hub } = run;
  const sum = sessions.reduce((total, each) => total + each.bytes, 0);
  const counts = `${amount(unchanged)} unchanged, ${amount(heldBack)} held back`;
  const head =
    sessions.length === 0
      ? `Nothing would be sent${hub === undefined ? "" : ` to ${hub}`}; ${counts}.`
      : `Would send ${plural(sessions.length, "session", "sessions")}, ${bytes(sum)} before compression${hub === undefined ? "; no hub is known yet" : `, to ${hub}`}; ${counts}.`;
  const table: Column<Preview>[] = [
    { head: "SESSION", text: ({ id }) => shortId(id), paint: () => style.cyan },
    { head: "TITLE", text: ({ title }) => oneLine(title), cut: cutTitle, min: 16 },
    {
      head: "REPOSITORY",
      text: ({ repository }) => oneLine(repository ?? ""),
      paint: () => style.dim,
      min: 12,
      gives: 2,
    },
    { head: "SIZE", align: "right", text: ({ bytes: size }) => bytes(size) },
    {
      head: "SEALED",
      text: ({ isSealed }) => (isSealed ? "sealed" : ""),
      paint: () => style.green,
      gives: 1,
    },
    {
      head: "REDACTED",
      text: ({ redacted }) => kindsOf(redacted),
      paint: () => style.yellow,
      min: 16,
    },
  ];
  return [
    ...problemLines(run.problems, page),
    ...(sessions.length === 0 ? [] : [...toTable(sessions, table, columns, style.dim), ""]),
    ...wrap(head, columns),
    ...(run.redacted.length === 0
      ? []
      : [
          "",
          ...toTable(
            run.redacted,
            [
              { head: "REDACTED", text: ({ kind }) => kind, paint: () => style.yellow },
              { head: "SECRETS", align: "right", text: ({ secrets }) => amount(secrets) },
              { head: "PLACES", align: "right", text: ({ places }) => amount(places) },
            ],
            columns,
            style.dim,
          ),
        ]),
    ...leftOutLines(sessions, page),
  ];
}

function leftOutLines(sessions: readonly Preview[], { style, columns }: Page): string[] {
  const all = sessions.flatMap(({ leftOut }) => leftOut);
  const files = all.filter(({ pictures }) => pictures === undefined);
  const kinds = Map.groupBy(files, ({ why }) => why);
  const told = [...kinds].map(([why, of]) => `${amount(of.length)} ${of.length === 1 ? why : asMany(why)}`);
  const pictures = picturesIn(all);
  const both = [
    ...(files.length > 0 ? [`${plural(files.length, "file", "files")} (${told.join(", ")})`] : []),
    ...(pictures > 0 ? [`${plural(pictures, "picture", "pictures")} in conversations`] : []),
  ];
  return both.length === 0 ? [] : wrap(`Left out: ${both.join(", and ")}.`, columns).map(style.dim);
}

const asMany = (why: string): string => why.replace(/^is /, "are ").replace(/ a database$/, " databases");

const sumOf = (found: SyncReport["redacted"]): number => found.reduce((sum, { places }) => sum + places, 0);

export const kindsOf = (found: SyncReport["redacted"]): string =>
  found.map(({ kind, places }) => (places === 1 ? kind : `${kind} ×${amount(places)}`)).join(", ");

/** A text behind a label, its further lines below its first one. */
export function hanging(label: string, width: number, text: string, columns: number): string[] {
  const lines = wrap(text, Math.max(20, columns - width));
  return lines.map((line, at) => (at === 0 ? label : " ".repeat(width)) + line);
}
