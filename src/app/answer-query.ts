/** What this program does when it is started again to run one guarded query; a file of its own, to start fast. */
export { answerQuery } from "../store/sql/child.ts";
