/** Plans and writes as answers have them. */

export const KINDS = [
  "clone",
  "fork",
  "rewind",
  "compact",
  "checkpoint",
  "move",
  "rename",
  "delete",
  "rescue",
  "import",
  "migrate",
  "restore",
  "undo",
] as const;
