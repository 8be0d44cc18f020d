/** How long is waited before somebody looks again whether a program has ended: seldom enough to cost nothing. */
import { pause } from "../../platform/process/background.ts";

const LOOK_AGAIN_MS = 2000;

/** Resolves at once when the signal is aborted. */
export const lookAgain = (signal?: AbortSignal, ms = LOOK_AGAIN_MS): Promise<void> => pause(ms, signal);
