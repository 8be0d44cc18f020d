/** What the spellings of one tool share: `Bash` and `bash`, `run_in_terminal`, `runInTerminal` and `copilot_runInTerminal`. */
export function toolKey(spelled: string): string {
  // Names of MCP servers and their tools are the user's own, in which every letter may count.
  if (/^mcp[_-]/.test(spelled)) return spelled;
  return (
    spelled
      .replace(/^copilot_/, "")
      .replace(/[_-]/g, "")
      .toLowerCase() || spelled
  );
}
