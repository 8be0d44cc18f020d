/** The user's own Claude Code as a writer of summaries. */
import { join } from "node:path";
import type { OwnWriter } from "../../../requests.ts";
import { ROOT_VARIABLE } from "../../locate.ts";

/**
 * It reads its prompt from stdin, where a long one fits. Without tools it can only answer; without settings of projects,
 * servers and commands nothing but the prompt counts.
 */
export const writer = (root: string): OwnWriter => ({
  name: "claude",
  command: [
    "claude",
    "--print",
    "--no-session-persistence",
    "--tools=",
    "--strict-mcp-config",
    "--disable-slash-commands",
    "--setting-sources=user",
  ],
  homeVariable: ROOT_VARIABLE,
  links: [join(root, ".credentials.json"), join(root, "settings.json")],
});
