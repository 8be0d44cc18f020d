/** An entry for the child process that runs SQL, for tests; the program brings its own. */
import { answerQuery } from "../src/store/read-only/child.ts";

answerQuery();
