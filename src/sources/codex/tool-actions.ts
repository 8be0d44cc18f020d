/** What Codex CLI's tools do. Evidence: the tools that it offers to models (0.169.0), and the names in older logs. */

import type { ToolAct } from "../../model/session/session.ts";
import { memberOf } from "../../model/values/member.ts";
import { asObject, asString, type JsonObject } from "../log/jsonl.ts";
import { findToolAction, patches, type ToolActions, touches } from "../tools/actions.ts";
import { commandOf } from "./log/done-items.ts";

/** The tools that run commands, and where each has the command. */
const SHELLS: Readonly<Record<string, string>> = {
  exec_command: "cmd",
  shell_command: "command",
  shell: "command",
  "container.exec": "command",
  local_shell: "command",
};

/** The command of a call; nothing for calls of other tools. */
export function commandIn(name: string, input: unknown): string | undefined {
  const key = memberOf(SHELLS, name);
  const value = key === undefined ? undefined : memberOf(asObject(input) ?? {}, key);
  return value === undefined ? undefined : commandOf(value);
}

/** A patch as an argument, or given to the command of that name. */
export function patchIn(name: string, input: unknown): string | undefined {
  if (name === "apply_patch") return asString(input) ?? asString(asObject(input)?.input);
  const [found] = /\*\*\* Begin Patch$[\s\S]*?^\*\*\* End Patch$/m.exec(commandIn(name, input) ?? "") ?? [];
  return found;
}

function changes(input: JsonObject): ToolAct {
  const found = Object.entries(asObject(input.changes) ?? {});
  const kinds = new Set(found.map(([, change]) => asString(asObject(change)?.type)));
  const only = kinds.size === 1 ? [...kinds][0] : undefined;
  const does = only === "add" ? "create" : only === "delete" ? "delete" : "edit";
  return { does, ...(found.length > 0 && { paths: found.map(([path]) => path) }) };
}

const OTHERS: ToolActions = {
  apply_patch: changes,
  view_image: touches("read", "path"),
  read_file: touches("read", "file_path"),
  list_dir: touches("search", "dir_path"),
  grep_files: touches("search", "pattern"),
  web_search: touches("fetch", "query", "url"),
  tool_search: touches("search", "query"),
  spawn_agent: touches("delegate"),
  followup_task: touches("delegate"),
};

export function actionOf(name: string, input: unknown): ToolAct | undefined {
  const patch = patchIn(name, input);
  if (patch !== undefined) return patches(patch);
  const command = commandIn(name, input);
  return command === undefined ? findToolAction(OTHERS, name, input) : { does: "run", command };
}
