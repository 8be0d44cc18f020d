/** A small store with the real tables and one session in it, and some things that no store of ours would hold. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { build } from "rolldown";
import { openStore, storePath } from "../src/store/open.ts";

const child = join(import.meta.dirname, "sql-child.ts");

/** How the tests start the child process, from source as in a checkout; the program brings its own way. */
export const command: readonly string[] = [process.execPath, child];

/** The same as it is released: bundled and minified. It also starts faster. */
export async function bundledCommand(folder: string): Promise<readonly string[]> {
  const file = join(folder, "sql-child.mjs");
  await build({
    input: child,
    platform: "node",
    output: { file, format: "esm", minify: true },
    logLevel: "warn",
  });
  return [process.execPath, file];
}

export function makeStore(folder: string): string {
  const db = openStore({
    folder,
    now: () => new Date("2026-11-15T12:00:00Z"),
    notice: (sentence) => {
      throw new Error(sentence);
    },
  });
  db.exec(`
    INSERT INTO sessions (id, cwd, repository, branch, summary, created_at, updated_at, source, vendor_id, title, path,
                          turn_count, problem_count, bytes, models)
    VALUES ('s1', '/srv/shop', 'acme/shop', 'main', 'Fix the login', '2026-11-10T09:00:00.000Z',
            '2026-11-10T10:30:00.000Z', 'copilot-cli', 's1', 'Fix the login', '/srv/logs/s1', 2, 0, 10, '["gpt-5","o4"]');
    INSERT INTO turns (id, session_id, turn_index, user_message, assistant_response, timestamp)
    VALUES (1, 's1', 0, 'Why does the login fail?', 'The token expired', '2026-11-10T09:00:00.000Z'),
           (2, 's1', 1, 'Renew the token', 'Done, the login works', '2026-11-10T10:30:00.000Z');
    INSERT INTO search_index (rowid, content)
    VALUES (1, 'Why does the login fail?' || char(10) || 'The token expired'),
           (2, 'Renew the token' || char(10) || 'Done, the login works');
    INSERT INTO session_files (session_id, file_path, tool_name, turn_index, action)
    VALUES ('s1', 'src/login.ts', 'edit', 1, 'edited');
    INSERT INTO session_refs (session_id, ref_type, ref_value, turn_index, evidence)
    VALUES ('s1', 'pr', '42', 1, 'command');
  `);
  db.close();
  return storePath(folder);
}

/** As somebody might who can write the file and hopes that others will query it. */
export function plantTraps(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`
    CREATE VIEW trap_extension AS SELECT load_extension('trap') AS x;
    CREATE VIEW trap_pragma AS SELECT name FROM pragma_database_list;
    CREATE VIEW trap_tokenizer AS SELECT fts3_tokenizer('simple') AS x;
    CREATE VIEW trap_rank AS SELECT bm25(search_index) AS x FROM search_index;
    CREATE VIEW trap_insert AS SELECT 1 AS x;
    CREATE TRIGGER trap_trigger INSTEAD OF INSERT ON trap_insert BEGIN DELETE FROM turns; END;
    CREATE TRIGGER trap_update AFTER UPDATE ON turns BEGIN DELETE FROM sessions; END;
    CREATE VIRTUAL TABLE old_search USING fts4(x);
    INSERT INTO old_search VALUES ('hello');
  `);
  db.close();
}
