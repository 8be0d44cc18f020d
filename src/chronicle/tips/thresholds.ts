/** From when on a pattern is worth a tip. Each number was chosen on the open half of the labelled cases in `test/tips/`. */
export const THRESHOLDS = {
  /** Results of at least `large` characters make up `sum`, and this share of all that tools gave back in the session. */
  contextFilled: { large: 20_000, sum: 150_000, share: 0.5 },
  /** The same command failed so often in a row, and nothing was changed in between. */
  commandKeepsFailing: { times: 4 },
  /** In so many sessions of a repository another command worked right after it, at most so many calls later. */
  wrongCommandFirst: { sessions: 2, within: 3 },
  /** Of so many calls in so many sessions, this share failed. */
  toolKeepsFailing: { calls: 10, sessions: 2, share: 0.4 },
  /** So soon after a compaction an earlier request is said again, in words that are so alike. */
  compactionLostTask: { turns: 2, words: 4, likeness: 0.6 },
  compactedOften: { times: 3 },
  /** The same correction in so many sessions of a repository. */
  correctionAgain: { sessions: 2 },
  noInstructions: { sessions: 5, turns: 20 },
  /** A question of so many words that mean something, said so alike, in another session so many days later. */
  questionAgain: { words: 4, likeness: 0.75, days: 1 },
  /** So many sessions that nobody continued for so many days. */
  leftOpen: { sessions: 3, days: 3 },
  /** So many characters of the same file, read so often in one session. */
  fileReadAgain: { size: 4000, times: 4 },
  /** In this share of a repository's sessions, of which there are so many; hardly any of them changed it. */
  fileReadEverywhere: { sessions: 6, share: 0.6, changed: 0.2 },
  /** So many prompts of one session that only ask for more. */
  nudged: { times: 4 },
  /** So many prompts with so many characters and lines. */
  pastedOutput: { times: 3, length: 8000, lines: 60 },
  /** So many sessions begin with so few words, which the agent had to ask about. */
  vagueStart: { sessions: 3, words: 3, length: 40 },
  /** So many turns, and this share of all that the model answered: short prompt, no tools, short answer. */
  largeModel: { turns: 5, share: 0.3, prompt: 200, output: 400 },
} as const;
