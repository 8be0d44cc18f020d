/** Reads checkpoints/index.md: the table of summaries, for titles that are not in the log. */
import { isErrno, reasonOf, type SessionFs } from "../../../platform/fs/session-fs.ts";
import { under } from "./locate.ts";

export const CHECKPOINT_FOLDER = "checkpoints";
export const CHECKPOINT_INDEX = "index.md";

/** The table as the program begins it. */
export const CHECKPOINT_TABLE_HEAD = `# Checkpoint History

Checkpoints are listed in chronological order. Checkpoint 1 is the oldest, higher numbers are more recent.

| # | Title | File |
|---|-------|------|
`;

const COLUMNS = "| # | Title | File |";

/** Whether it has other columns than those that we know, so that no row can be added. */
export const isNewerTable = (table: string): boolean =>
  (/^\| # \|.*\|/m.exec(table)?.[0] ?? COLUMNS) !== COLUMNS;

export async function readCheckpointTitles(
  fs: SessionFs,
  sessionFolder: string,
  unreadable: (path: string, why: string) => void,
  newer: (path: string, what: string) => void,
): Promise<Map<number, string>> {
  const path = under(sessionFolder, CHECKPOINT_FOLDER, CHECKPOINT_INDEX);
  try {
    const table = Buffer.from(await fs.read(path)).toString("utf8");
    if (isNewerTable(table)) newer(path, "the table of checkpoints");
    return toTitles(table);
  } catch (error) {
    if (!isErrno(error, "ENOENT")) unreadable(path, reasonOf(error));
    return new Map();
  }
}

/** The files that the table names, by the numbers of their checkpoints. Throws what the disk says. */
export async function readCheckpointFiles(
  fs: SessionFs,
  sessionFolder: string,
): Promise<Map<number, string>> {
  const path = under(sessionFolder, CHECKPOINT_FOLDER, CHECKPOINT_INDEX);
  const table = Buffer.from(await fs.read(path)).toString("utf8");
  const rows = table.matchAll(/^\| (\d+) \| .* \| ([^|/\\]+) \|\s*$/gm);
  return new Map([...rows].map((row) => [Number(row[1]), (row[2] ?? "").trim()]));
}

function toTitles(table: string): Map<number, string> {
  const rows = table.matchAll(/^\| (\d+) \| (.*) \| [^|]+ \|\s*$/gm);
  return new Map([...rows].map((row) => [Number(row[1]), row[2] ?? ""]));
}
