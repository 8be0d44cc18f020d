/** SQL on what one may see of a hub. */
import { SqlView } from "../../pages/sql/sql-view.tsx";
import { HUB_EXAMPLES } from "./examples.ts";

const WELCOME = (
  <>
    <p>
      One SELECT of PostgreSQL on everything that you may see: your own sessions, and those that your teams
      share. It is read-only and bounded, and the audit log notes that you asked, not what.
    </p>
    <p>
      The tables are those of <code>rethread sql</code> on your machine, with <code>person</code> beside each
      row. Times are ISO 8601 in UTC; turns count from 0.
    </p>
  </>
);

export const Sql = () => <SqlView examples={HUB_EXAMPLES} welcome={WELCOME} />;
