/** What the tools of Copilot Chat do, under the names the model uses and those VS Code shows. */

import { asArray, asObject, asString } from "../log/jsonl.ts";
import { patches, runs, type ToolActions, touches } from "../tools/actions.ts";

/** The model's name of a tool, and the id that VS Code registers it under. */
const BOTH: readonly [model: string, id: string, ToolActions[string]][] = [
  ["run_in_terminal", "copilot_runInTerminal", runs("command")],
  ["read_file", "copilot_readFile", touches("read", "filePath")],
  ["create_file", "copilot_createFile", touches("create", "filePath")],
  ["replace_string_in_file", "copilot_replaceString", touches("edit", "filePath")],
  [
    "multi_replace_string_in_file",
    "copilot_multiReplaceString",
    (input) => ({
      does: "edit",
      paths: [
        ...new Set(asArray(input.replacements).flatMap((item) => asString(asObject(item)?.filePath) ?? [])),
      ],
    }),
  ],
  ["insert_edit_into_file", "copilot_insertEdit", touches("edit", "filePath")],
  ["apply_patch", "copilot_applyPatch", (input) => patches(asString(input.input) ?? "")],
  ["edit_notebook_file", "copilot_editNotebook", touches("edit", "filePath")],
  ["grep_search", "copilot_findTextInFiles", touches("search", "query")],
  ["file_search", "copilot_findFiles", touches("search", "query")],
  ["semantic_search", "copilot_searchCodebase", touches("search", "query")],
  ["list_dir", "copilot_listDirectory", touches("search", "path")],
  ["fetch_webpage", "copilot_fetchWebPage", touches("fetch")],
  ["fetch_webpage", "vscode_fetchWebPage_internal", touches("fetch")],
  ["runSubagent", "runSubagent", touches("delegate")],
];

export const TOOL_ACTIONS: ToolActions = Object.fromEntries(
  BOTH.flatMap(([model, id, act]) => [
    [model, act],
    [id, act],
  ]),
);

const MODEL_NAMES = new Map(BOTH.map(([model, id]) => [id, model]));

/** The same for both names of a tool, most of which differ only in how they are spelt. */
export const toolKeyOf = (tool: string): string =>
  (MODEL_NAMES.get(tool) ?? tool)
    .replace(/^(?:copilot|vscode)_/, "")
    .replaceAll("_", "")
    .toLowerCase();
