/** Who said something in a session. */

export const ROLES = ["user", "assistant", "tool"] as const;
export type Role = (typeof ROLES)[number];
