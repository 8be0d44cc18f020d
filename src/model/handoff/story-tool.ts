/** An act as the writers of demo sessions know it, so that both record calls alike. */
import type { StoryTool } from "../session/story.ts";
import type { Act } from "./act.ts";

/** Nothing for acts that no story tells. */
export function toStoryTool(act: Act): StoryTool | undefined {
  switch (act.kind) {
    case "shell":
      return { does: "run", command: act.command, why: act.why ?? "" };
    case "read":
      return { does: "read", path: act.path };
    case "search":
      return { does: "search", pattern: act.pattern, path: act.path ?? act.glob ?? "" };
    case "write":
      return { does: "create", path: act.path, text: act.text };
    case "edit":
      return { does: "edit", path: act.path, before: act.old, after: act.new };
    default:
      return undefined;
  }
}
