/** The texts that Copilot CLI itself adds for the model, verbatim. */

/** What the model receives for a call without a result. */
export const INTERRUPTED = "The execution of this tool, or a previous tool was interrupted.";

/** What the program writes into the log, on resume, for each call that a killed process left open. */
export const KILLED =
  "Tool execution was interrupted before a result was recorded. Its effects may be absent, partial, or already complete, and other tools may have completed successfully. Check the current state before retrying; do not assume success or replay this operation blindly.";

/** The output of a command that the user ran. */
export const shellOutput = (command: string | undefined, ok: boolean, output: string): string =>
  [
    "<user_shell_command_output>",
    `The user executed a shell command directly in their terminal (${ok ? "exit code 0" : "non-zero exit code"}).`,
    "",
    command === undefined ? "Command: <unknown>" : `Command:\n${command}`,
    "",
    `Output:\n${output}`,
    "</user_shell_command_output>",
  ].join("\n");

/** What stands for everything that was compacted. */
export function summaryText(
  prompts: readonly string[],
  summary: string,
  workflows: string | undefined,
): string {
  const asked = prompts.map((prompt) => `<user_message>\n${prompt}\n</user_message>\n`).join("");
  return [
    "Some of the conversation history has been summarized to free up context.\n\n",
    asked === ""
      ? ""
      : `You were originally given instructions from a user over one or more turns. Here were the user messages:\n${asked}\n`,
    `Here is a summary of the prior context:\n<summary>\n${summary}\n</summary>\n`,
    workflows === undefined ? "" : `\n\n${workflows}`,
  ].join("");
}
