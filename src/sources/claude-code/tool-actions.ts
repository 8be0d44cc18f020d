/** What Claude Code's tools do. Evidence: the tool definitions that the program sends to its model (2.1.325). */
import { runs, type ToolActions, touches } from "../tools/actions.ts";

export const TOOL_ACTIONS: ToolActions = {
  Bash: runs("command"),
  PowerShell: runs("command"),
  Read: touches("read", "file_path"),
  NotebookRead: touches("read", "notebook_path"),
  Write: touches("create", "file_path"),
  Edit: touches("edit", "file_path"),
  MultiEdit: touches("edit", "file_path"),
  NotebookEdit: touches("edit", "notebook_path"),
  Grep: touches("search", "pattern"),
  Glob: touches("search", "pattern"),
  WebFetch: touches("fetch", "url"),
  WebSearch: touches("fetch", "query"),
  Task: touches("delegate"),
  Agent: touches("delegate"),
};
