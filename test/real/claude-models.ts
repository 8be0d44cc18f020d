/** The two kinds of models that Claude Code talks to differently. */

/** Reminders travel inside the user's messages. */
export const OLDER_MODEL = "claude-sonnet-4-5";
/** Reminders are system messages of their own. */
export const NEWER_MODEL = "claude-opus-5-5";
