/** `rethread completion`: prints a completion script for a shell. */
import { defineCommand } from "../../command.ts";
import { loadCommands } from "../../commands.ts";
import { completionScript, SHELLS } from "../../print/terminal/completion.ts";

export default defineCommand({
  name: "completion",
  summary: "Print a completion script for your shell",
  args: { shell: { kind: "positional", choices: SHELLS, help: "your shell" } },
  examples: [
    { command: 'eval "$(rethread completion bash)"', why: "in ~/.bashrc" },
    { command: 'eval "$(rethread completion zsh)"', why: "in ~/.zshrc, after compinit" },
    { command: "rethread completion fish | source", why: "in ~/.config/fish/config.fish" },
  ],
  operations: [],
  json: [
    {
      schema: (z) =>
        z.object({ shell: z.string().describe("which one"), script: z.string().describe("the script") }),
    },
  ],
  async run({ args, out }) {
    const { SOURCE_IDS } = await import("../../../app/source-names.ts");
    const script = completionScript(args.shell, await loadCommands(), SOURCE_IDS);
    if (args.json) out.json({ shell: args.shell, script });
    else out.write(script);
    return 0;
  },
});
