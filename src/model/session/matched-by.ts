/** By what a session belongs to a folder, the best first; `branch` means the same repository and branch. */
export const MATCHED_BY = ["branch", "repository", "git-root", "folder"] as const;
export type MatchedBy = (typeof MATCHED_BY)[number];
