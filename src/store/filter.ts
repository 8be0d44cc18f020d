/** Builds the SQL condition of a session filter on the `sessions` table (alias `s`). */
import { COPY_KINDS } from "../model/session/facets.ts";
import { toWords } from "../model/session/session-words.ts";
import { isOfProject, type ProjectPlace } from "../model/values/elsewhere.ts";
import type { SessionKey } from "../model/values/id.ts";
import { isAbout, isInRepository, isOnBranch } from "../model/values/place.ts";
import type { Database } from "../platform/sqlite/sqlite.ts";

export interface SessionFilter {
  readonly sources?: readonly string[];
  /** A folder (and all below it), or a part of the path. */
  readonly workspace?: string;
  /** What that folder is to other machines: their clones of the repository count, too. */
  readonly project?: ProjectPlace;
  readonly repository?: string;
  readonly branch?: string;
  /** ISO times; last activity at or after, at or before. */
  readonly since?: string;
  readonly until?: string;
  readonly file?: string;
  readonly ref?: { readonly type: string; readonly value: string };
  readonly tool?: string;
  readonly model?: string;
  /** Repository, branch, model and workspace are whole names, as facets have them. */
  readonly exact?: boolean;
  /** Only this one. */
  readonly session?: SessionKey;
  /** Only these, by the keys of their rows. */
  readonly ids?: readonly string[];
  /** Words that all occur in what the session is known by; see `model/session/session-words.ts`. */
  readonly text?: string;
  /** Only those with all of these tags. */
  readonly tags?: readonly string[];
  /** Only those with problems. */
  readonly problems?: true;
  /** Only forks and clones. */
  readonly copies?: true;
  /** The keys (`source:id`) of copies that only we know of. */
  readonly recordedCopies?: readonly string[];
}

/** The same rules as everywhere else, so that a filter means one thing in every command. */
export function addFilterFunctions(db: Database): void {
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  const rule =
    (holds: (value: string | undefined, part: string) => boolean) => (value: unknown, part: unknown) =>
      holds(text(value), String(part)) ? 1 : 0;
  db.function("is_about", { deterministic: true }, rule(isAbout));
  db.function("is_in_repository", { deterministic: true }, rule(isInRepository));
  db.function("is_on_branch", { deterministic: true }, rule(isOnBranch));
  let [asked, place]: [string, ProjectPlace | undefined] = ["", undefined];
  db.function("is_of_project", { deterministic: true }, (cwd, repository, project) => {
    if (place === undefined || asked !== project)
      [asked, place] = [String(project), JSON.parse(String(project)) as ProjectPlace];
    return isOfProject(text(cwd), text(repository), place) ? 1 : 0;
  });
}

export function compileFilter(filter: SessionFilter): { where: string; values: string[] } {
  const conditions: string[] = [];
  const values: string[] = [];
  const add = (condition: string, ...bound: string[]): void => {
    conditions.push(condition);
    values.push(...bound);
  };
  if (filter.sources) add(`s.source IN (${filter.sources.map(() => "?").join(", ")})`, ...filter.sources);
  const { exact = false } = filter;
  if (filter.workspace !== undefined && filter.project && !exact)
    add(
      "(is_about(s.cwd, ?) OR is_of_project(s.cwd, s.repository, ?))",
      filter.workspace,
      JSON.stringify(filter.project),
    );
  else if (filter.workspace !== undefined) add(exact ? "s.cwd = ?" : "is_about(s.cwd, ?)", filter.workspace);
  if (filter.repository !== undefined)
    add(exact ? "s.repository = ?" : "is_in_repository(s.repository, ?)", filter.repository);
  if (filter.branch !== undefined) add(exact ? "s.branch = ?" : "is_on_branch(s.branch, ?)", filter.branch);
  if (filter.since !== undefined) add("coalesce(s.updated_at, s.created_at) >= ?", filter.since);
  if (filter.until !== undefined) add("coalesce(s.updated_at, s.created_at) <= ?", filter.until);
  if (filter.file !== undefined)
    add(
      "EXISTS (SELECT 1 FROM session_files f WHERE f.session_id = s.id AND instr(lower(f.file_path), lower(?)) > 0)",
      filter.file,
    );
  if (filter.ref)
    add(
      "s.id IN (SELECT session_id FROM session_refs WHERE ref_type = ? AND ref_value = ?)",
      filter.ref.type,
      filter.ref.value,
    );
  if (filter.tool !== undefined)
    add(
      "EXISTS (SELECT 1 FROM tool_calls c WHERE c.session_id = s.id AND lower(c.tool_name) = lower(?))",
      filter.tool,
    );
  if (filter.model !== undefined && exact) add("instr(s.models, ?) > 0", JSON.stringify(filter.model));
  else if (filter.model !== undefined) add("instr(lower(s.models), lower(?)) > 0", filter.model);
  for (const word of toWords(filter.text ?? "")) add("instr(s.words, ?) > 0", word);
  if (filter.session) add("s.source = ? AND s.vendor_id = ?", filter.session.source, filter.session.id);
  if (filter.ids) add("s.id IN (SELECT value FROM json_each(?))", JSON.stringify(filter.ids));
  for (const tag of filter.tags ?? [])
    add("(s.source, s.vendor_id) IN (SELECT source, session FROM session_tags WHERE tag = ?)", tag);
  if (filter.problems) add("s.problem_count > 0");
  if (filter.copies) {
    const copy = isCopy(filter.recordedCopies);
    add(copy.where, ...copy.values);
  }
  return { where: conditions.join(" AND "), values };
}

/** Whether a session is a fork or a clone. */
export const isCopy = (recorded: readonly string[] = []): { where: string; values: string[] } => {
  const known = `coalesce(s.parent_kind IN (${COPY_KINDS.map((kind) => `'${kind}'`).join(", ")}), 0)`;
  if (recorded.length === 0) return { where: known, values: [] };
  return {
    where: `(${known} OR s.source || ':' || s.vendor_id IN (SELECT value FROM json_each(?)))`,
    values: [JSON.stringify(recorded)],
  };
};
