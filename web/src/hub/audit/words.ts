/** What the audit log's names of actions mean. */
const WORDS = new Map([
  ["signed-in", "signed in"],
  ["signed-out", "signed out"],
  ["session-read", "read a session"],
  ["session-deleted", "deleted a session"],
  ["sql", "asked with SQL"],
  ["searched", "searched what others share"],
  ["shared", "shared"],
  ["unshared", "stopped sharing"],
  ["user-added", "added a person"],
  ["user-revoked", "revoked a person"],
  ["token-rotated", "gave a new token to"],
  ["team-added", "added a team"],
  ["team-joined", "added somebody to"],
  ["team-left", "removed somebody from"],
  ["reindexed", "had all rows made again"],
]);

export const actionWords = (action: string): string => WORDS.get(action) ?? action.replaceAll("-", " ");

/** `source:id@machine` */
export const isSessionName = (subject: string): boolean => /^[a-z-]+:\S+@[0-9a-f]{8}$/.test(subject);
