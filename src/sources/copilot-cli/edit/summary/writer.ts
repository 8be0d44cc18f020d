/** The user's own Copilot CLI as a writer of summaries. */
import type { OwnWriter } from "../../../requests.ts";
import { under } from "../../workspace/locate.ts";

/**
 * It reads its prompt from stdin, where a long one fits. Without tools it can only answer, and what a folder tells agents
 * does not matter here. Asked of version 1.0.102: it reads config.json through a link, writes a file of its own in the
 * link's place, and so leaves the user's as it was.
 */
export const writer = (root: string): OwnWriter => ({
  name: "copilot",
  command: [
    "copilot",
    "--silent",
    "--no-color",
    ...["--stream", "off"],
    ...["--available-tools", "none"],
    "--no-custom-instructions",
    "--disable-builtin-mcps",
    "--no-ask-user",
    "--no-remote",
  ],
  homeVariable: "COPILOT_HOME",
  links: [under(root, "config.json"), under(root, "settings.json")],
});
