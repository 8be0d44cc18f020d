/** The tools of Copilot Chat's agent, under the names that its model uses, and what they do. */
import { toPatternSource } from "../../../model/text/escape-regexp.ts";
import { createTodoWords, createVocabulary, inFolder } from "../../handoff.ts";
import { asArray, asNumber, asString } from "../../log/jsonl.ts";

const words = createTodoWords("title", { open: "not-started", active: "in-progress", done: "completed" });

export const tools = createVocabulary(
  {
    run_in_terminal: {
      keys: ["command", "explanation", "isBackground", "goal", "mode", "timeout"],
      read({ command, explanation, isBackground, mode }) {
        if (typeof command !== "string") return undefined;
        return {
          kind: "shell",
          command,
          ...(typeof explanation === "string" && { why: explanation }),
          ...((isBackground === true || mode === "async") && { background: true as const }),
        };
      },
    },
    read_file: {
      keys: ["filePath", "startLine", "endLine", "offset", "limit"],
      read({ filePath, startLine, endLine, offset, limit }) {
        if (typeof filePath !== "string") return undefined;
        const from = asNumber(startLine) ?? asNumber(offset);
        const lines = asNumber(limit);
        const to = asNumber(endLine) ?? (lines === undefined ? undefined : (from ?? 1) + lines - 1);
        return {
          kind: "read",
          path: filePath,
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
        };
      },
    },
    create_file: {
      keys: ["filePath", "content"],
      read: ({ filePath, content }) =>
        typeof filePath === "string"
          ? { kind: "write", path: filePath, text: asString(content) ?? "" }
          : undefined,
    },
    replace_string_in_file: {
      keys: ["filePath", "oldString", "newString", "explanation"],
      read: ({ filePath, oldString, newString }) =>
        typeof filePath === "string" && typeof oldString === "string"
          ? { kind: "edit", path: filePath, old: oldString, new: asString(newString) ?? "" }
          : undefined,
    },
    apply_patch: {
      keys: ["input", "explanation"],
      read: ({ input }) => (typeof input === "string" ? { kind: "patch", text: input } : undefined),
    },
    grep_search: {
      keys: ["query", "isRegexp", "includePattern"],
      read: ({ query, isRegexp, includePattern }) =>
        typeof query === "string"
          ? {
              kind: "search",
              pattern: isRegexp === false ? toPatternSource(query) : query,
              ...(typeof includePattern === "string" && { glob: includePattern }),
            }
          : undefined,
    },
    file_search: {
      keys: ["query"],
      read: ({ query }) => (typeof query === "string" ? { kind: "find", pattern: query } : undefined),
    },
    list_dir: {
      keys: ["path"],
      read: ({ path }) => (typeof path === "string" ? { kind: "list", path } : undefined),
    },
    manage_todo_list: {
      keys: ["todoList", "operation"],
      read({ todoList }) {
        const items = words.items(todoList);
        return items && { kind: "todo", items };
      },
    },
    fetch_webpage: {
      keys: ["urls", "query"],
      read({ urls, query }) {
        const [url, ...more] = asArray(urls);
        return typeof url === "string" && more.length === 0
          ? { kind: "fetch", url, ...(typeof query === "string" && { question: query }) }
          : undefined;
      },
    },
    runSubagent: {
      keys: ["description", "prompt"],
      read: ({ description, prompt }) =>
        typeof prompt === "string"
          ? { kind: "delegate", task: asString(description) ?? "", prompt }
          : undefined,
    },
  },
  {
    shell: ({ command, why, background }) => ({
      name: "run_in_terminal",
      input: { command, explanation: why ?? "Run a command", isBackground: background === true },
    }),
    read: ({ path, from, to }, workspace) => ({
      name: "read_file",
      input: {
        filePath: inFolder(path, workspace),
        ...(from !== undefined && { startLine: from }),
        ...(to !== undefined && { endLine: to }),
      },
    }),
    write: ({ path, text }, workspace) => ({
      name: "create_file",
      input: { filePath: inFolder(path, workspace), content: text },
    }),
    edit: (act, workspace) => ({
      name: "replace_string_in_file",
      input: { filePath: inFolder(act.path, workspace), oldString: act.old, newString: act.new },
    }),
    patch: ({ text }) => ({ name: "apply_patch", input: { input: text, explanation: "Apply a patch" } }),
    search: ({ pattern, path, glob }) => ({
      name: "grep_search",
      input: {
        query: pattern,
        isRegexp: true,
        ...((path ?? glob) !== undefined && { includePattern: [path, glob].filter(Boolean).join("/") }),
      },
    }),
    find: ({ pattern, path }) => ({
      name: "file_search",
      input: { query: path === undefined ? pattern : `${path.replace(/\/+$/, "")}/${pattern}` },
    }),
    list: ({ path }, workspace) => ({ name: "list_dir", input: { path: inFolder(path, workspace) } }),
    todo: ({ items }) => ({
      name: "manage_todo_list",
      input: {
        todoList: items.map(({ text, status }, index) => ({
          id: index + 1,
          title: text,
          status: words.wordFor(status),
        })),
      },
    }),
    fetch: ({ url, question }) => ({
      name: "fetch_webpage",
      input: { urls: [url], query: question ?? "" },
    }),
    delegate: ({ task, prompt }) => ({ name: "runSubagent", input: { description: task, prompt } }),
  },
);
