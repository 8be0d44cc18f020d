/** Entry point of the child process that runs one guarded query; a separate file, so that it starts fast. */
export { answerQuery } from "../store/sql/child.ts";
