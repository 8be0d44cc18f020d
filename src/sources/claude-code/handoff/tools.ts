/** Claude Code's tools and what they do. Evidence: the tool definitions that the program sends to its model (2.1.325). */
import { createTodoWords, createVocabulary, inFolder, type ToolReader } from "../../handoff.ts";
import { asNumber, asString } from "../../log/jsonl.ts";

const shell: ToolReader = {
  keys: ["command", "description", "run_in_background"],
  read({ command, description, run_in_background }) {
    if (typeof command !== "string") return undefined;
    return {
      kind: "shell",
      command,
      ...(typeof description === "string" && { why: description }),
      ...(run_in_background === true && { background: true as const }),
    };
  },
};

const delegate: ToolReader = {
  keys: ["description", "prompt", "subagent_type"],
  read: ({ description, prompt }) =>
    typeof prompt === "string" ? { kind: "delegate", task: asString(description) ?? "", prompt } : undefined,
};

const words = createTodoWords("content", { open: "pending", active: "in_progress", done: "completed" });

export const tools = createVocabulary(
  {
    Bash: shell,
    PowerShell: shell,
    Read: {
      keys: ["file_path", "offset", "limit"],
      read({ file_path, offset, limit }) {
        if (typeof file_path !== "string") return undefined;
        const [from, lines] = [asNumber(offset), asNumber(limit)];
        return {
          kind: "read",
          path: file_path,
          ...(from !== undefined && { from: Math.max(1, from) }),
          ...(lines !== undefined && { to: Math.max(1, from ?? 1) + lines - 1 }),
        };
      },
    },
    Write: {
      keys: ["file_path", "content"],
      read: ({ file_path, content }) =>
        typeof file_path === "string"
          ? { kind: "write", path: file_path, text: asString(content) ?? "" }
          : undefined,
    },
    Edit: {
      keys: ["file_path", "old_string", "new_string", "replace_all"],
      read: ({ file_path, old_string, new_string, replace_all }) =>
        typeof file_path === "string" && typeof old_string === "string"
          ? {
              kind: "edit",
              path: file_path,
              old: old_string,
              new: asString(new_string) ?? "",
              ...(replace_all === true && { all: true as const }),
            }
          : undefined,
    },
    Grep: {
      keys: ["pattern", "path", "glob", "output_mode", "-n"],
      read: ({ pattern, path, glob }) =>
        typeof pattern === "string"
          ? {
              kind: "search",
              pattern,
              ...(typeof path === "string" && { path }),
              ...(typeof glob === "string" && { glob }),
            }
          : undefined,
    },
    Glob: {
      keys: ["pattern", "path"],
      read: ({ pattern, path }) =>
        typeof pattern === "string"
          ? { kind: "find", pattern, ...(typeof path === "string" && { path }) }
          : undefined,
    },
    TodoWrite: {
      keys: ["todos"],
      read({ todos }) {
        const items = words.items(todos);
        return items && { kind: "todo", items };
      },
    },
    WebFetch: {
      keys: ["url", "prompt"],
      read: ({ url, prompt }) =>
        typeof url === "string"
          ? { kind: "fetch", url, ...(typeof prompt === "string" && { question: prompt }) }
          : undefined,
    },
    Task: delegate,
    Agent: delegate,
  },
  {
    shell: ({ command, why, background }) => ({
      name: "Bash",
      input: {
        command,
        ...(why !== undefined && { description: why }),
        ...(background && { run_in_background: true }),
      },
    }),
    read: ({ path, from, to }, workspace) => ({
      name: "Read",
      input: {
        file_path: inFolder(path, workspace),
        ...(from !== undefined && { offset: from }),
        ...(to !== undefined && { limit: Math.max(1, to - (from ?? 1) + 1) }),
      },
    }),
    write: ({ path, text }, workspace) => ({
      name: "Write",
      input: { file_path: inFolder(path, workspace), content: text },
    }),
    edit: (act, workspace) => ({
      name: "Edit",
      input: {
        file_path: inFolder(act.path, workspace),
        old_string: act.old,
        new_string: act.new,
        ...(act.all && { replace_all: true }),
      },
    }),
    search: ({ pattern, path, glob }) => ({
      name: "Grep",
      input: {
        pattern,
        ...(path !== undefined && { path }),
        ...(glob !== undefined && { glob }),
        output_mode: "content",
      },
    }),
    find: ({ pattern, path }) => ({
      name: "Glob",
      input: { pattern, ...(path !== undefined && { path }) },
    }),
    todo: ({ items }) => ({
      name: "TodoWrite",
      input: {
        todos: items.map(({ text, status }) => ({
          content: text,
          status: words.wordFor(status),
          activeForm: text,
        })),
      },
    }),
    fetch: ({ url, question }) => ({
      name: "WebFetch",
      input: { url, prompt: question ?? "What does it say?" },
    }),
    delegate: ({ task, prompt }) => ({ name: "Agent", input: { description: task, prompt } }),
  },
);
