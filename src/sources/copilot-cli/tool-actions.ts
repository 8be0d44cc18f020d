/** What Copilot CLI's tools do. Evidence: the tool definitions that the program sends to its model (1.0.102). */

import { asString } from "../log/jsonl.ts";
import { patches, runs, type ToolActions, touches } from "../tools/actions.ts";

export const TOOL_ACTIONS: ToolActions = {
  bash: runs("command"),
  powershell: runs("command"),
  view: touches("read", "path"),
  create: touches("create", "path"),
  edit: touches("edit", "path"),
  apply_patch: (input) => patches(asString(input.patch) ?? asString(input.input) ?? ""),
  rg: touches("search", "pattern"),
  grep: touches("search", "pattern"),
  glob: touches("search", "pattern"),
  web_fetch: touches("fetch", "url"),
  task: touches("delegate"),
};
