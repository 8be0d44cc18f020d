/** Describes what queries of the hub may use: the views of the local store, and whose each row is. */

import { memberOf } from "../../model/values/member.ts";
import { type StoreSchema, TABLE_MEANINGS } from "../../store/schema.ts";
import { VIEWS } from "../../store/views.ts";
import type { HubDatabase } from "../database/connect.ts";
import type { Credentials } from "../database/credentials.ts";
import { STORE } from "../database/migrations/0004/views.ts";
import { requireScope } from "../ingest/access.ts";

const PERSON = { name: "person", means: "the name of the user whose session it is" };

export const readHubSchema = (db: HubDatabase, who: Credentials): Promise<StoreSchema> =>
  db.as(who, async (tx) => {
    await requireScope(tx, "read");
    const rows = await tx.query(
      `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
         FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
         JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0
        WHERE n.nspname = $1 AND c.relkind = 'v' GROUP BY 1 ORDER BY 1`,
      [STORE],
    );
    const known = new Map(rows.map(({ name, columns }) => [String(name), columns as readonly string[]]));
    return {
      views: VIEWS.filter(({ name }) => known.has(name)).map((view) => ({
        ...view,
        columns: [
          ...view.columns.map((column) =>
            column.name === "day" ? { ...column, means: "YYYY-MM-DD in UTC" } : column,
          ),
          PERSON,
        ],
      })),
      tables: [...known].flatMap(([name, columns]) => {
        const means = memberOf(TABLE_MEANINGS, name);
        return means === undefined ? [] : [{ name, means, columns }];
      }),
    };
  });
