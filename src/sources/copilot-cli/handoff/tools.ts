/** Copilot CLI's tools and what they do. Evidence: the tool definitions that the program sends to its model (1.0.102). */
import type { Act } from "../../../model/handoff/act.ts";
import { createVocabulary, inFolder, type ToolReader } from "../../handoff.ts";
import { asNumber, asString, type JsonObject } from "../../log/jsonl.ts";

/** One folder; of several, no other program's tool takes all. */
const oneOf = (value: unknown): { path?: string } | undefined => {
  const only = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return only === undefined ? {} : typeof only === "string" ? { path: only } : undefined;
};

const shell: ToolReader = {
  keys: ["command", "description", "mode"],
  read({ command, description, mode }) {
    if (typeof command !== "string") return undefined;
    return {
      kind: "shell",
      command,
      ...(typeof description === "string" && { why: description }),
      ...(mode === "async" && { background: true as const }),
    };
  },
};

const search: ToolReader = {
  keys: ["pattern", "path", "paths", "glob", "output_mode", "-n"],
  read({ pattern, path, paths, glob }) {
    const place = oneOf(paths ?? path);
    if (typeof pattern !== "string" || !place) return undefined;
    return { kind: "search", pattern, ...place, ...(typeof glob === "string" && { glob }) };
  },
};

function readPatch(input: JsonObject): Act | undefined {
  const text = asString(input.patch) ?? asString(input.input);
  return text === undefined ? undefined : { kind: "patch", text };
}

export const tools = createVocabulary(
  {
    bash: shell,
    powershell: shell,
    view: {
      keys: ["path", "view_range"],
      read({ path, view_range }) {
        if (typeof path !== "string") return undefined;
        const [from, to] = Array.isArray(view_range) ? view_range.map(asNumber) : [];
        return {
          kind: "read",
          path,
          ...(from !== undefined && { from }),
          ...(to !== undefined && to > 0 && { to }),
        };
      },
    },
    create: {
      keys: ["path", "file_text"],
      read: ({ path, file_text }) =>
        typeof path === "string" ? { kind: "write", path, text: asString(file_text) ?? "" } : undefined,
    },
    edit: {
      keys: ["path", "old_str", "new_str"],
      read: ({ path, old_str, new_str }) =>
        typeof path === "string" && typeof old_str === "string"
          ? { kind: "edit", path, old: old_str, new: asString(new_str) ?? "" }
          : undefined,
    },
    apply_patch: { keys: ["patch", "input"], read: readPatch },
    grep: search,
    rg: search,
    glob: {
      keys: ["pattern", "path", "paths"],
      read({ pattern, path, paths }) {
        const place = oneOf(paths ?? path);
        return typeof pattern === "string" && place ? { kind: "find", pattern, ...place } : undefined;
      },
    },
    web_fetch: {
      keys: ["url"],
      read: ({ url }) => (typeof url === "string" ? { kind: "fetch", url } : undefined),
    },
    task: {
      keys: ["description", "prompt", "agent_type", "name"],
      read: ({ description, prompt }) =>
        typeof prompt === "string"
          ? { kind: "delegate", task: asString(description) ?? "", prompt }
          : undefined,
    },
  },
  {
    shell: ({ command, why, background }) => ({
      name: "bash",
      input: { command, description: why ?? "Run a command", ...(background && { mode: "async" }) },
    }),
    read: ({ path, from, to }, workspace) => ({
      name: "view",
      input: {
        path: inFolder(path, workspace),
        ...((from !== undefined || to !== undefined) && { view_range: [from ?? 1, to ?? -1] }),
      },
    }),
    write: ({ path, text }, workspace) => ({
      name: "create",
      input: { path: inFolder(path, workspace), file_text: text },
    }),
    edit: (act, workspace) => ({
      name: "edit",
      input: { path: inFolder(act.path, workspace), old_str: act.old, new_str: act.new },
    }),
    patch: ({ text }) => ({ name: "apply_patch", input: { input: text } }),
    search: ({ pattern, path, glob }) => ({
      name: "grep",
      input: {
        pattern,
        ...(path !== undefined && { paths: path }),
        ...(glob !== undefined && { glob }),
        output_mode: "content",
      },
    }),
    find: ({ pattern, path }) => ({
      name: "glob",
      input: { pattern, ...(path !== undefined && { paths: path }) },
    }),
    // It lists what is in a folder.
    list: ({ path }, workspace) => ({ name: "view", input: { path: inFolder(path, workspace) } }),
    fetch: ({ url }) => ({ name: "web_fetch", input: { url } }),
    delegate: ({ task, prompt }) => ({
      name: "task",
      input: { description: task, prompt, agent_type: "general-purpose", name: "helper" },
    }),
  },
);
