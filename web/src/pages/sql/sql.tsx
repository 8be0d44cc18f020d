/** SQL on the store of this machine. */
import { EXAMPLES } from "./examples.ts";
import { SqlView } from "./sql-view.tsx";

const WELCOME = (
  <>
    <p>
      One SELECT on everything that was said and done. It is read-only and bounded: nothing can be changed, at
      most 10,000 rows come back, and a query that takes longer than 30 seconds is stopped.
    </p>
    <p>
      Start with an example, or click names to insert them. Times are ISO 8601 in UTC; turns count from 0.
    </p>
  </>
);

export const Sql = () => <SqlView examples={EXAMPLES} welcome={WELCOME} />;
