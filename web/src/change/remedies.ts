/** The next step that an error or a problem advises, as a button: it opens the dialog or the view that takes it. */
import { type Remedy, toCommand } from "../../../src/model/remedy.ts";
import { api } from "../lib/api.ts";
import { copyText } from "../lib/clipboard.ts";
import { router } from "../router.tsx";
import { type ChangeKind, openChange } from "./change.ts";

/** As answers have it; what is sent is not trusted to name an action of ours. */
export interface RemedyData {
  readonly action: string;
  readonly session?: string | undefined;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly asks?: Readonly<Record<string, string | undefined>> | undefined;
  readonly demo?: true | undefined;
}

const LABELS: Readonly<Record<string, string>> = {
  chat: "Open the chat",
  checkpoint: "Write a checkpoint…",
  chronicle: "Open the report",
  clone: "Clone…",
  context: "Show its context",
  delete: "Delete…",
  diff: "Compare",
  doctor: "Open the doctor",
  export: "Download",
  fork: "Fork…",
  history: "Open the history",
  import: "Import…",
  index: "Index again",
  list: "Show sessions",
  move: "Move…",
  rescue: "Repair…",
  resume: "Open the session",
  rewind: "Rewind…",
  show: "Open the session",
  sql: "Open SQL",
  undo: "Undo…",
  workspaces: "Show workspaces",
};

/** What its button says; a step that only a terminal can take is copied. */
export const remedyLabel = ({ action, args }: RemedyData): string =>
  action === "undo" && args?.asCopy ? "Copy from the backup…" : (LABELS[action] ?? "Copy the command");

/** Takes the step: opens a dialog with a plan, or goes to a view. Nothing is written before a plan was shown. */
export function openRemedy(remedy: RemedyData): void {
  void take(remedy);
}

function take(remedy: RemedyData): unknown {
  const { action, session, args = {} } = remedy;
  const text = (name: string): string | undefined => {
    const value = args[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  };
  const sessions = session === undefined ? [] : [session];
  const open = (kind: ChangeKind, input: Readonly<Record<string, unknown>> = {}): void =>
    openChange({ kind, sessions, input: withoutNothing(input) });

  switch (action) {
    case "clone":
      return session === undefined
        ? copy(remedy)
        : open("clone", {
            to: text("to"),
            budget: toTokens(text("budget")),
            dropOldest: toShare(text("dropOldest")),
          });
    case "fork":
      return session === undefined ? copy(remedy) : open("fork");
    case "rewind":
      return session === undefined ? copy(remedy) : open("rewind", { to: toTurn(text("to")) });
    case "delete":
      return session === undefined ? copy(remedy) : open("delete");
    case "move":
      return open("move", { to: text("to"), ...(session === undefined && { from: text("from") }) });
    case "rescue":
      return session === undefined ? open("rescue-all", { source: "vscode" }) : open("rescue");
    case "checkpoint":
      return text("action") === "create" && session !== undefined
        ? open("checkpoint-create")
        : goToSession(session);
    case "undo":
      return open(args.asCopy ? "backup-copy" : "undo", { operation: text("operation") });
    case "import":
      return open("import", { file: text("file"), to: text("to") });
    case "show":
    case "context":
    case "resume":
      return session === undefined ? copy(remedy) : goToSession(session);
    case "chat":
      return router.navigate({ to: "/chat", search: session === undefined ? {} : { session } });
    case "diff":
      return router.navigate({ to: "/diff", search: withoutNothing({ a: text("a"), b: text("b") }) });
    case "chronicle":
      return router.navigate({ to: "/reports", search: withoutNothing({ report: text("report") }) });
    case "doctor":
      return router.navigate({ to: "/doctor", search: withoutNothing({ source: text("source") }) });
    case "history":
      return router.navigate({ to: "/history" });
    case "list":
      return router.navigate({ to: "/sessions", search: withoutNothing({ source: text("source") }) });
    case "workspaces":
      return router.navigate({ to: "/settings" });
    case "sql":
      return router.navigate({ to: "/sql", search: withoutNothing({ q: text("sql") }) });
    case "export":
      return session === undefined ? copy(remedy) : download(session, text("format"), args.redact === true);
    case "index":
      void api.startIndex(args.rebuild ? { rebuild: true } : {});
      return router.navigate({ to: "/settings" });
    default:
      return copy(remedy);
  }
}

function goToSession(session: string | undefined): void {
  if (session === undefined) void router.navigate({ to: "/sessions" });
  else void router.navigate({ to: "/s/$key", params: { key: session } });
}

function download(session: string, format: string | undefined, redact: boolean): void {
  const link = document.createElement("a");
  link.href = api.exportUrl(session, { format: (format ?? "html") as "html", ...(redact && { redact }) });
  link.download = "";
  link.click();
}

function copy(remedy: RemedyData): void {
  void copyText(toCommand(remedy as Remedy), "Command");
}

function withoutNothing<T extends Record<string, unknown>>(
  all: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as never;
}

/** `60k` as a number of tokens. */
function toTokens(text: string | undefined): number | undefined {
  const [, digits, unit = ""] = /^(\d+(?:\.\d+)?)([km]?)$/i.exec(text ?? "") ?? [];
  if (digits === undefined) return undefined;
  return Math.round(Number(digits) * ({ k: 1e3, m: 1e6 }[unit.toLowerCase()] ?? 1));
}

/** `50%` or `12` as a share of the turns. */
function toShare(text: string | undefined): { percent: number } | { count: number } | undefined {
  const [, digits, percent] = /^(\d+)(%?)$/.exec(text ?? "") ?? [];
  if (digits === undefined) return undefined;
  return percent === "%" ? { percent: Number(digits) } : { count: Number(digits) };
}

const toTurn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
