/** Where a remedy leads in the pages: to a dialog with a plan, to a view, to a download; only some need a terminal. */
import type { ChangeKind, ChangeRequest } from "./change.ts";
import { BRIEFING } from "./choices.ts";

/** As answers have it; what is sent is not trusted to name an action of ours. */
export interface RemedyData {
  readonly action: string;
  readonly session?: string | undefined;
  readonly args?: Readonly<Record<string, unknown>> | undefined;
  readonly asks?: Readonly<Record<string, string | undefined>> | undefined;
  readonly demo?: true | undefined;
}

export type Way =
  | { readonly does: "change"; readonly request: ChangeRequest }
  | { readonly does: "go"; readonly to: string; readonly search: Readonly<Record<string, string>> }
  | { readonly does: "open"; readonly session: string }
  | {
      readonly does: "download";
      readonly session: string;
      readonly format: string;
      readonly redact: boolean;
    }
  | { readonly does: "index"; readonly rebuild: boolean }
  /** Copilot CLI's own index. */
  | { readonly does: "index-copilot" }
  /** Nothing but a terminal can do it. */
  | { readonly does: "copy" };

/** `session` is the one that the page is about, for a remedy that names none. */
export function wayOf(remedy: RemedyData, around?: string): Way {
  const { action, session = around, args = {} } = remedy;
  const text = (name: string): string | undefined => {
    const value = args[name];
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  };
  const change = (
    kind: ChangeKind,
    input: Readonly<Record<string, unknown>> = {},
    sessions = session === undefined ? [] : [session],
  ): Way => ({ does: "change", request: { kind, sessions, input: withoutNothing(input) } });
  const go = (to: string, search: Readonly<Record<string, string | undefined>> = {}): Way => ({
    does: "go",
    to,
    search: withoutNothing(search) as Record<string, string>,
  });
  /** What is about one session, which has to be chosen first where none is named. */
  const about = (way: (session: string) => Way): Way =>
    session === undefined ? go("/sessions", { source: text("source") }) : way(session);

  switch (action) {
    case "clone":
      return about(() =>
        change("clone", {
          to: text("to"),
          budget: toTokens(text("budget")),
          dropOldest: toShare(text("dropOldest")),
        }),
      );
    case "handoff":
      return about(() =>
        change("handoff", {
          to: args.asBrief === true ? BRIEFING : text("to"),
          workspace: text("workspace"),
          name: text("name"),
          at: toTurn(text("at")),
          budget: toTokens(text("budget")),
        }),
      );
    case "fork":
    case "delete":
      return about(() => change(action));
    case "rewind":
      return about(() => change("rewind", { to: toTurn(text("to")) }));
    case "move":
      return remedy.session === undefined && text("from") !== undefined
        ? change("move", { from: text("from"), to: text("to") }, [])
        : about(() => change("move", { to: text("to") }));
    case "rescue":
      if (args.vscode) return change("rescue-all", { source: "vscode" }, []);
      return session === undefined ? go("/doctor") : change("rescue");
    case "checkpoint":
      return about((key) =>
        text("action") === "create" ? change("checkpoint-create") : { does: "open", session: key },
      );
    case "undo":
      if (args.asCopy)
        return text("operation") === undefined
          ? go("/history")
          : change("backup-copy", { operation: text("operation") }, []);
      return change("undo", { operation: text("operation") }, []);
    case "import":
      return change("import", { file: text("file"), to: text("to") }, []);
    case "show":
    case "context":
    case "resume":
      return about((key) => ({ does: "open", session: key }));
    case "export":
      return about((key) => ({
        does: "download",
        session: key,
        format: text("format") ?? "html",
        redact: args.redact === true,
      }));
    case "chat":
      // A conversation is named by its id alone, a session with its source.
      return go("/chat", remedy.session?.includes(":") ? { session } : { id: remedy.session });
    case "diff":
      return go("/diff", { a: text("a"), b: text("b") });
    case "board":
      return go("/board");
    case "blame":
      return go("/blame", { file: text("file") });
    case "chronicle":
      return go("/reports", { report: text("report") });
    case "doctor":
      return go("/doctor", { source: text("source") });
    case "history":
      return go("/history");
    case "list":
      return go("/sessions", { source: text("source") });
    case "workspaces":
      return go("/settings");
    case "sql":
      return go("/sql", { q: text("sql") });
    case "index":
      return args.copilot ? { does: "index-copilot" } : { does: "index", rebuild: args.rebuild === true };
    default:
      return { does: "copy" };
  }
}

function withoutNothing<T extends Readonly<Record<string, unknown>>>(all: T): Record<string, unknown> {
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** `60k` as a number of tokens. */
export function toTokens(text: string | undefined): number | undefined {
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
