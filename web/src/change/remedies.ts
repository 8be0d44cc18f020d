/** The next step that an error or a problem advises, as a button: what it says, and taking the step. */
import { type Remedy, toCommand } from "../../../src/model/remedy.ts";
import { api } from "../lib/api.ts";
import { copyText } from "../lib/clipboard.ts";
import { router } from "../router.tsx";
import { openChange } from "./change.ts";
import { copilotIndexOpen } from "./copilot-index-state.ts";
import { type RemedyData, type Way, wayOf } from "./remedy-way.ts";

export type { RemedyData };

const LABELS: Readonly<Record<string, string>> = {
  chat: "Open the chat",
  checkpoint: "Write a checkpoint…",
  blame: "Show who wrote it",
  board: "Open the board",
  chronicle: "Open the report",
  clone: "Clone…",
  context: "Show its context",
  delete: "Delete…",
  diff: "Compare",
  doctor: "Open the doctor",
  export: "Download",
  fork: "Fork…",
  handoff: "Continue in another program…",
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

/** By where it leads, where that is not what the action is called. */
const PLACES: Readonly<Record<string, string>> = {
  "/sessions": "Show sessions",
  "/doctor": "Open the doctor",
  "/history": "Open the history",
};

/** What its button says; a step that only a terminal can take is copied. */
export function remedyLabel(remedy: RemedyData, around?: string): string {
  const way = wayOf(remedy, around);
  if (way.does === "copy") return "Copy the command";
  if (way.does === "index-copilot") return "Repair Copilot CLI’s index…";
  if (way.does === "open") return remedy.action === "context" ? "Show its context" : "Open the session";
  if (way.does === "change" && way.request.kind === "backup-copy") return "Copy from the backup…";
  return (way.does === "go" && PLACES[way.to]) || (LABELS[remedy.action] ?? "Copy the command");
}

/** Takes the step: opens a dialog with a plan, or goes to a view. Nothing is written before a plan was shown. */
export function openRemedy(remedy: RemedyData, around?: string): void {
  const way = wayOf(remedy, around);
  switch (way.does) {
    case "change":
      openChange(way.request);
      break;
    case "go":
      void router.navigate({ to: way.to, search: way.search } as never);
      break;
    case "open":
      void router.navigate({ to: "/s/$key", params: { key: way.session } });
      break;
    case "download":
      download(way);
      break;
    case "index":
      void api.startIndex(way.rebuild ? { rebuild: true } : {});
      void router.navigate({ to: "/settings" });
      break;
    case "index-copilot":
      copilotIndexOpen.set(true);
      break;
    case "copy":
      void copyText(toCommand(remedy as Remedy), "Command");
  }
}

function download({ session, format, redact }: Extract<Way, { does: "download" }>): void {
  const link = document.createElement("a");
  link.href = api.exportUrl(session, { format: format as "html", ...(redact && { redact }) });
  link.download = "";
  link.click();
}
