/** Where a program is told which MCP servers to start, and what an entry looks like there. */
import type { Environment } from "./source.ts";

/** How a server is started. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface McpSettings {
  /** The file with the settings of all folders, for a root of the source; nothing for a root that has none. Pure. */
  file(env: Environment, root: string): string | undefined;
  /** The member that holds the servers by their names. */
  readonly section: string;
  /** The program refuses comments and trailing commas. */
  readonly isStrict: boolean;
  entry(server: ServerCommand): Readonly<Record<string, unknown>>;
  /** What the program does with it, as a sentence. */
  readonly effect: string;
}
