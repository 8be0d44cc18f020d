/** Sessions of the demo that the tests of the views use; their ids are the same in every demo. */

/** Nineteen turns, of which there is a fork. */
export const LONG = "copilot-cli:3df380a0-08ec-4c13-8e4f-1e10c5e4c341";
export const LONG_TITLE = "Rebuild the checkout as a state machine";
/** Seven turns, the latest one of all; a picture goes with its first prompt. */
export const LATEST = "copilot-cli:f47bca59-a572-4db9-87a0-6b7a0321da22";
export const LATEST_TITLE = "Flaky login test in CI";
/** Its last line is torn. */
export const DAMAGED_TITLE = "Backfill script for the missing quarter";
export const DAMAGED = "copilot-cli:66c49f97-6687-49ee-88ee-4d5df3419f37";
/** Shares its first three turns with the long one. */
export const LONG_FORK = "copilot-cli:d65642f0-3840-4e59-8278-392974fbed81";
export const VSCODE = "vscode:cc0d7602-24e5-48fd-86c8-1ebaf9b701fb";
/** Four turns of Claude Code. */
export const CLAUDE = "claude-code:e37c3d5a-b683-4dd4-871d-0df62561b9d9";
