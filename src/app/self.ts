/** The hidden word that makes this program, started again by itself, answer one guarded query instead of a command. */
export const ANSWER_QUERY = "--answer-query";
/** The hidden word by which completion scripts ask what may be typed next. */
export const COMPLETE = "__complete";
/** The hidden word that makes it work for the server that started it. */
export const WORK = "--work";
/** The hidden word that makes it wait for an editor to end, and then do what a job says. */
export const RUN_JOB = "--run-job";
export { loadWithKeptCode } from "../platform/process/kept-code.ts";
export { THREAD } from "../platform/process/thread-word.ts";
