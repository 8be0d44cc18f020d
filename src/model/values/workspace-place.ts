/** What a workspace is: a folder, a file that lists several, a place on another machine, or a window without any. */

export const WORKSPACE_KINDS = ["folder", "workspace-file", "remote", "none"] as const;

export interface WorkspacePlace {
  readonly kind: (typeof WORKSPACE_KINDS)[number];
  /** The path of the folder or file, or the URI of a place elsewhere; missing for windows without a folder. */
  readonly folder?: string;
}

/** What a session says of its folder. */
export const placeOfFolder = (folder: string | undefined): WorkspacePlace => {
  if (folder === undefined || folder === "") return { kind: "none" };
  const isRemote = /^[a-z][a-z0-9+.-]+:\/\//i.test(folder);
  return { kind: isRemote ? "remote" : "folder", folder };
};
