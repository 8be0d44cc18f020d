/** What the program notes for people when a command, a change or a call has ended: more than the model is told. */
import type { FileEdit } from "../../../model/session/file-edit.ts";
import { asArray, asNumber, asObject, asString, isObject, type JsonObject } from "../../log/jsonl.ts";

/** One call that has ended, by the id of the call; code that the model wrote makes calls of its own, which only this records. */
export interface DoneCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly output: string;
  readonly status: "ok" | "failed" | "interrupted";
  readonly exitCode?: number;
  readonly durationMs?: number;
  readonly edits?: readonly FileEdit[];
  readonly server?: string;
}

export function toDoneCall(payload: JsonObject): DoneCall | undefined {
  const item = asObject(payload.item);
  const id = asString(item?.id);
  if (!item || id === undefined) return undefined;
  const base = { id, status: statusOf(item.status), ...durationOf(item, payload) };
  if (item.type === "CommandExecution") {
    const exitCode = asNumber(item.exit_code);
    return {
      ...base,
      // The command ran; how it ended is its exit code.
      ...(exitCode !== undefined && { exitCode, status: "ok" }),
      name: "exec_command",
      input: { cmd: commandOf(item.command), workdir: folderOf(item.cwd) },
      output: asString(item.aggregated_output) ?? "",
    };
  }
  if (item.type === "FileChange")
    return {
      ...base,
      name: "apply_patch",
      input: { changes: asObject(item.changes) ?? {} },
      output: [asString(item.stdout), asString(item.stderr)].filter(Boolean).join("\n"),
      edits: editsOf(item.changes),
    };
  if (item.type === "McpToolCall")
    return {
      ...base,
      name: asString(item.tool) ?? "",
      input: item.arguments,
      output: printedResult(item.result ?? item.error),
      ...(asString(item.server) !== undefined && { server: asString(item.server) as string }),
    };
  return undefined;
}

const statusOf = (status: unknown): DoneCall["status"] =>
  status === "failed" ? "failed" : status === "declined" || status === "aborted" ? "interrupted" : "ok";

function durationOf(item: JsonObject, payload: JsonObject): { readonly durationMs?: number } {
  const [started, ended] = [asNumber(payload.started_at_ms), asNumber(payload.completed_at_ms)];
  if (started !== undefined && ended !== undefined && ended >= started)
    return { durationMs: ended - started };
  const seconds = asNumber(asObject(item.duration)?.secs);
  return seconds === undefined ? {} : { durationMs: seconds * 1000 };
}

const SHELL = /^(?:.*[\\/])?(?:bash|zsh|sh|dash|fish|pwsh|powershell(?:\.exe)?|cmd(?:\.exe)?)$/i;

/** `bash -lc "…"` is what stands in the quotes. */
export function commandOf(command: unknown): string {
  if (typeof command === "string") return command;
  const words = asArray(command).filter((word): word is string => typeof word === "string");
  const isShell = words.length === 3 && SHELL.test(words[0] ?? "") && /^[-/]/.test(words[1] ?? "");
  return isShell ? (words[2] ?? "") : words.join(" ");
}

const folderOf = (cwd: unknown): string | undefined => asString(cwd)?.replace(/^file:\/\//, "");

function printedResult(result: unknown): string {
  const parts = asArray(asObject(result)?.content).flatMap((part) => asString(asObject(part)?.text) ?? []);
  return parts.length > 0
    ? parts.join("\n")
    : result === undefined || result === null
      ? ""
      : JSON.stringify(result);
}

/** What a change did to each of its files, as the program recorded it. */
export function editsOf(changes: unknown): FileEdit[] {
  return Object.entries(asObject(changes) ?? {}).flatMap(([path, change]): FileEdit[] => {
    if (!isObject(change)) return [];
    if (change.type === "add")
      return [{ does: "write", path, text: asString(change.content) ?? "", isNew: true }];
    if (change.type === "delete") return [{ does: "delete", path }];
    const hunks = hunksOf(asString(change.unified_diff) ?? "");
    const to = asString(change.move_path);
    return [
      ...(hunks.length > 0 ? [{ does: "patch" as const, path, hunks }] : []),
      ...(to === undefined ? [] : [{ does: "move" as const, path, to }]),
    ];
  });
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

function hunksOf(diff: string): { start: number; newStart: number; lines: string[] }[] {
  const hunks: { start: number; newStart: number; lines: string[] }[] = [];
  for (const line of diff.split("\n")) {
    const head = HUNK.exec(line);
    if (head) hunks.push({ start: Number(head[1]), newStart: Number(head[2]), lines: [] });
    else if (/^[ +-]/.test(line)) hunks.at(-1)?.lines.push(line);
  }
  return hunks;
}
