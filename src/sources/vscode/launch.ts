/** Opens the folder of a session in its editor; VS Code has no option to open a certain chat. */

import { memberOf } from "../../model/values/member.ts";
import { segmentsOf } from "../../model/values/paths.ts";

const COMMANDS: Record<string, string> = {
  Code: "code",
  "Code - Insiders": "code-insiders",
  VSCodium: "codium",
  "VSCodium - Insiders": "codium-insiders",
  "Code - OSS": "code-oss",
  Cursor: "cursor",
  Windsurf: "windsurf",
};

export function launch(root: string, workspace: string | undefined): string[] {
  const product = segmentsOf(root).findLast((name) => Object.hasOwn(COMMANDS, name));
  const program = memberOf(COMMANDS, product ?? "Code") ?? "code";
  if (workspace === undefined) return [program];
  const isRemote = /^[a-z][a-z0-9+.-]+:\/\//i.test(workspace);
  if (!isRemote) return [program, workspace];
  return [program, workspace.endsWith(".code-workspace") ? "--file-uri" : "--folder-uri", workspace];
}
