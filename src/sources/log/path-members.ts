/** Which members of a record hold paths, by their names. */

/** A member is a path when its name ends in one of these words: `path`, `filePath`, `working_directory`, `possiblePaths` … */
const PATH_WORDS = new Set(
  "path paths file files filename filenames dir dirs directory directories folder folders root roots cwd workdir uri uris".split(
    " ",
  ),
);

export function isPathName(name: string): boolean {
  const last = name.split(/_|(?<=[a-z0-9])(?=[A-Z])/).at(-1) ?? "";
  return PATH_WORDS.has(last.toLowerCase());
}
