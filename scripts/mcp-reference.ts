/** The page about the MCP server: how an agent gets it, what its answers are like, and a table for each tool. */
import * as z from "zod";
import { inputSchemaOf } from "../src/mcp/call-tool.ts";
import { listPrompts } from "../src/mcp/prompts.ts";
import { RESOURCE_TEMPLATE } from "../src/mcp/resources.ts";
import type { AnyTool } from "../src/mcp/tool.ts";

export const mcpReference = (tools: readonly AnyTool[]): string => `# MCP server

<!-- Written by \`npm run docs\` from the declarations of the tools. Do not edit. -->

\`rethread mcp\` lets an agent ask your history: what was done, decided or solved before, in whichever agent. It speaks the Model Context Protocol on stdin and stdout, so the agent starts it.

## Give it to an agent

\`\`\`sh
rethread mcp install copilot-cli    # or vscode, claude-code
\`\`\`

shows what it would write, and asks. One entry, \`rethread\`, is added to the agent's own settings, with an absolute command and the variables that lead to your homes, where any are set; every other byte stays, comments included. \`rethread undo\` restores the file, \`rethread mcp uninstall <agent>\` removes only the entry. Settings that are not valid are refused, and left as they are.

| Agent | Settings | The model calls |
|---|---|---|
| GitHub Copilot CLI | \`mcp-config.json\` in \`COPILOT_HOME\`, else \`~/.copilot\` | \`rethread-search\` |
| Claude Code | \`.claude.json\` in \`CLAUDE_CONFIG_DIR\`, else in your home folder | \`mcp__rethread__search\` |
| VS Code and its relatives | \`mcp.json\` in the \`User\` folder of each that is found | \`search\` of the server \`rethread\` |

Any other agent: let it start \`rethread mcp\`, or connect to \`rethread mcp --http --port 4010\`. That prints its address and a token, which stays the same from run to run and goes into the header \`Authorization: Bearer\`; only this machine is served.

## What answers are like

- **A budget.** Every tool takes \`budget\`, in tokens (100 to 50,000; 2,000 unless it is named). The whole answer stays within it, counted with the o200k tokenizer; the best comes first.
- **Citations.** Facts are cited as \`source:id turn N, time\`, with turns counted from 0. A session as a whole is cited with its last turn.
- **What was cut is said**, with the call that gets it; so is what the store does not have yet (\`Incomplete: …\`).
- **History is quoted.** What comes out of recorded sessions stands between \`[history N]\` and \`[/history N]\`, where N is a random number of that answer: no recorded text can know it, so none can end the quotation. Characters that are invisible or change the direction of text are taken out. The instructions of the server tell the model that the quotation is data. That makes it harder for an old conversation to give orders; no server can make it impossible.
- **Secrets stay here.** Keys, tokens and passwords are replaced by marks such as \`[redacted: github token #1]\` before anything is shortened. Searches, lists and \`session_store_sql\` are asked of a copy of the store that never had them, so neither an order nor a length nor a search for the beginning of a word tells anything of one; what a name gives away in one session (\`PASSWORD=…\`) is gone from all others, too, as far as the store has that name: of long outputs it keeps the beginning. The copy lies in \`redacted/\` of Rethread's data folder, takes as much room as the store, and is begun with the first connection: some 30 seconds for 10,000 sessions, and the first question waits for it. What the table of secrets does not know (decision 0012) is not hidden, and how large logs and outputs are is told.
- **Nothing is changed**, unless the server was started with \`--allow-write\` (\`rethread mcp install <agent> --allow-write\`): then \`plan\` shows a change and \`apply\` carries out exactly that, once, with a backup that \`rethread undo\` restores.
- **Fresh.** A question first looks for what agents have written since; several at once share that look. Long ones report their progress, and stop when they are cancelled.
- Errors are answers, too: \`Error (code): …\`, with the codes of [cli.md](cli.md#exit-codes) and a next step.

## Tools

${tools.map(toolSection).join("\n")}
## Resources

\`${RESOURCE_TEMPLATE}\` is a session: a briefing and its turns, within 8,000 tokens unless \`budget\` says otherwise; with \`from\` and \`to\` only those turns. Clients that list resources are given all sessions, most recently active first.

## Prompts

| Prompt | Takes | For |
|---|---|---|
${listPrompts(z)
  .map(
    ({ name, description, arguments: fields }) =>
      `| \`${name}\` | ${fields.map((field) => `\`${field.name}\`${field.required ? "" : " (optional)"}: ${field.description}`).join("; ")} | ${description} |`,
  )
  .join("\n")}

They tell the model which tools to call; nothing of the history is in them.

## Does it help?

\`npm run bench -- recall\` asks 107 questions over a made-up history of 362 sessions, each with one call of \`search\`, and looks whether the known answer is in the 2,000 tokens that come back: [bench/results.md](../bench/results.md) has the share, and that of \`grep\` over the same logs with the same budget.
`;

interface FieldSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: FieldSchema;
  readonly description?: string;
}

function toolSection(tool: AnyTool): string {
  const { properties = {}, required = [] } = z.toJSONSchema(inputSchemaOf(z, tool), { io: "input" });
  const rows = Object.entries(properties as Record<string, FieldSchema>).map(
    ([name, field]) =>
      `| \`${name}\` | ${typeOf(field)}${required.includes(name) ? ", required" : ""} | ${(field.description ?? "").replaceAll("|", "\\|")} |`,
  );
  return `### ${tool.name}

${tool.description}${tool.kind === "change" ? " Only with `--allow-write`." : ""}

| Argument | Type | Means |
|---|---|---|
${rows.join("\n")}
`;
}

const typeOf = (field: FieldSchema): string =>
  field.enum
    ? field.enum.map((value) => `\`${value}\``).join(", ")
    : field.type === "array"
      ? `list of ${field.items?.type ?? "values"}s`
      : field.type === "string"
        ? "text"
        : (field.type ?? "any");
