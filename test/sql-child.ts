/** An entry for the child process that runs SQL, for tests; the program brings its own. */
import { answerQuery } from "../src/store/sql/child.ts";

answerQuery();
