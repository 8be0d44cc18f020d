/** Where VS Code and its relatives keep their `User` folders. */

import { memberOf } from "../../../model/values/member.ts";
import { pathsOf, segmentsOf, withoutEndSeparators } from "../../../model/values/paths.ts";
import type { Environment } from "../../source.ts";

const PRODUCTS = [
  "Code",
  "Code - Insiders",
  "VSCodium",
  "VSCodium - Insiders",
  "Code - OSS",
  "Cursor",
  "Windsurf",
];
/** Folders of the server that runs on the far side of a remote window, or alone behind a browser. */
const SERVERS = [
  ".vscode-server",
  ".vscode-server-insiders",
  ".vscode-server-oss",
  ".vscodium-server",
  ".vscodium-server-insiders",
  ".cursor-server",
  ".windsurf-server",
];
/** Flatpak gives each application a home of its own. */
const FLATPAKS: Record<string, string> = {
  "com.visualstudio.code": "Code",
  "com.visualstudio.code.insiders": "Code - Insiders",
  "com.visualstudio.code-oss": "Code - OSS",
  "com.vscodium.codium": "VSCodium",
  "com.vscodium.codium-insiders": "VSCodium - Insiders",
};

export function locate({ platform, homeDir, vars }: Environment): string[] {
  const { join, basename, dirname } = pathsOf(platform);
  const set = (name: string): string | undefined => memberOf(vars, name) || undefined;

  const parsed = withoutEndSeparators(set("VSCODE_STORAGE_PATH") ?? "");
  // Beside `workspaceStorage` lies what empty windows keep; a folder of another name stands for itself.
  if (parsed) return [basename(parsed) === "workspaceStorage" ? dirname(parsed) : parsed];

  const data = set("VSCODE_APPDATA") ?? userDataParent(platform, homeDir, set, join);
  const portable = set("VSCODE_PORTABLE");
  const shared = set("XDG_DATA_HOME") ?? join(homeDir, ".local", "share");
  const onLinux = platform === "linux";
  return [
    ...(portable ? [join(portable, "user-data", "User")] : []),
    ...PRODUCTS.map((product) => join(data, product, "User")),
    ...(onLinux
      ? Object.entries(FLATPAKS).map(([app, product]) =>
          join(homeDir, ".var", "app", app, "config", product, "User"),
        )
      : []),
    ...(platform === "win32" ? [] : [join(shared, "code-server", "User")]),
    ...SERVERS.map((server) => join(homeDir, server, "data", "User")),
  ];
}

/** The product whose `User` folder this is, by its own name; else the folder itself, which is how people may name it. */
export function editorOf(root: string): string {
  const names = segmentsOf(root);
  if (names.at(-1) !== "User") return root;
  const product = names.at(-2) === "data" ? names.at(-3) : names.at(-2);
  return product !== undefined && [...PRODUCTS, ...SERVERS, "code-server"].includes(product) ? product : root;
}

/** The far side of a remote window. */
export function isOfServer(root: string): boolean {
  const names = segmentsOf(root);
  return names.at(-2) === "data" && SERVERS.includes(names.at(-3) ?? "");
}

/** The variables that `locate` looks at. */
export const VARIABLES = [
  "VSCODE_STORAGE_PATH",
  "VSCODE_APPDATA",
  "VSCODE_PORTABLE",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
];

/** A `workspaceStorage` that the variable names may lie among folders of others; a `User` folder is VS Code's own. */
export function ownFolders(env: Environment): string[] {
  const { join, basename, dirname } = pathsOf(env.platform);
  const roots = locate(env);
  const parsed = withoutEndSeparators(env.vars.VSCODE_STORAGE_PATH ?? "");
  if (basename(parsed) !== "workspaceStorage" || basename(dirname(parsed)) === "User") return roots;
  return roots.flatMap((root) => [parsed, join(root, "globalStorage")]);
}

function userDataParent(
  platform: NodeJS.Platform,
  homeDir: string,
  set: (name: string) => string | undefined,
  join: (...parts: string[]) => string,
): string {
  if (platform === "win32") return set("APPDATA") ?? join(homeDir, "AppData", "Roaming");
  if (platform === "darwin") return join(homeDir, "Library", "Application Support");
  return set("XDG_CONFIG_HOME") ?? join(homeDir, ".config");
}
