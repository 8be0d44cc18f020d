/** What a workspace is: a folder, a file that lists several, a place on another machine, or a window without any. */

export const WORKSPACE_KINDS = ["folder", "workspace-file", "remote", "none"] as const;

export interface WorkspacePlace {
  readonly kind: (typeof WORKSPACE_KINDS)[number];
  /** The path of the folder or file, or the URI of a place elsewhere; missing for windows without a folder. */
  readonly folder?: string;
}

/** The scheme of an address, its host and the path there. A path has no scheme; a drive's letter is none. */
const ADDRESS = /^[a-z][a-z0-9+.-]+:\/\/([^/]*)(.*)$/is;

/** What a session says of its folder. */
export const placeOfFolder = (folder: string | undefined): WorkspacePlace => {
  if (folder === undefined || folder === "") return { kind: "none" };
  return { kind: ADDRESS.test(folder) ? "remote" : "folder", folder };
};

/** Where a place elsewhere is: `ssh-remote+host`, `wsl+Ubuntu`. */
export const hostOf = (folder: string): string | undefined => ADDRESS.exec(folder)?.[1]?.replace(/%2b/i, "+");

/** The path of a place elsewhere, on the machine that it is on. */
export const pathThere = (folder: string): string | undefined => ADDRESS.exec(folder)?.[2];

/** As people read it: the folder comes first, then where it is. A container is known by a code as long as a line. */
export function readablePlace(folder: string): string {
  const [host, path] = [hostOf(folder), pathThere(folder)];
  if (host === undefined || !path) return folder;
  return `${path} ${/container\+/.test(host) ? "in a container" : `on ${host}`}`;
}
