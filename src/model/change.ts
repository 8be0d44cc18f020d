/** The changes that people make to sessions, by the names of their operations. */
export const CHANGES = [
  "clone",
  "fork",
  "rewind",
  "compact",
  "checkpoint-create",
  "move",
  "rename",
  "delete",
  "rescue",
  "rescue-all",
  "import",
  "handoff",
  "secrets-scrub",
] as const;

export type Change = (typeof CHANGES)[number];
