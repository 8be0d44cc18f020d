/** What people type for an action that is called otherwise here, by the first word of its name. */
const BY_VERB: Readonly<Record<string, readonly string[]>> = {
  clone: ["copy", "duplicate", "shorten", "shrink", "cut back", "reduce", "trim", "budget"],
  fork: ["copy", "branch off", "split"],
  rewind: ["cut back", "go back", "reset", "shorten", "remove turns"],
  compact: ["shorten", "shrink", "summarize", "summarise", "reduce"],
  delete: ["remove", "trash", "erase"],
  rename: ["title", "name", "call"],
  move: ["relocate", "folder", "directory"],
  repair: ["fix", "rescue", "mend", "recover"],
  tag: ["label", "mark"],
  undo: ["take back", "revert", "restore"],
  export: ["download", "save", "share"],
  import: ["load", "restore", "upload"],
  compare: ["diff", "difference"],
};

/** By its whole name, where the verb says too little. */
const BY_NAME: Readonly<Record<string, readonly string[]>> = {
  "continue in another program": ["hand over", "handover", "handoff", "hand off", "send", "transfer"],
  "go to doctor": ["repair", "fix", "rescue", "problems", "damage"],
  "go to history": ["undo", "backups", "take back"],
  "go to tree": ["forks", "clones", "timeline"],
};

export function synonymsOf(label: string): readonly string[] {
  const name = label.toLowerCase();
  const [verb = ""] = name.split(" ");
  const known = (words: typeof BY_VERB, key: string): readonly string[] =>
    Object.hasOwn(words, key) ? (words[key] ?? []) : [];
  return [...known(BY_VERB, verb), ...known(BY_NAME, name)];
}
