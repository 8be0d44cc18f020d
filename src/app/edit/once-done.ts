/** What is left to do once a write is done. It may fail; the write is done all the same, and is reported so. */
import { reasonOf } from "../../platform/fs/session-fs.ts";

export interface OnceDone {
  /** Does something that the write does not depend on; `otherwise` is the sentence to begin with when it fails. */
  attempt<T>(otherwise: string, work: () => Promise<T> | T): Promise<T | undefined>;
  /** What could not be done, a sentence each. */
  readonly notices: readonly string[];
}

export function onceDone(): OnceDone {
  const notices: string[] = [];
  return {
    notices,
    async attempt(otherwise, work) {
      try {
        return await work();
      } catch (error) {
        notices.push(`${otherwise}: ${reasonOf(error)}`);
        return undefined;
      }
    },
  };
}
