/** What people mean by a rule for what may leave: any spelling of a repository or folder, as sessions know them. */
import { AppError } from "../../model/errors.ts";
import { isAbsolutePath, withoutEndSeparators } from "../../model/values/paths.ts";
import { GITHUB, toRepositoryName } from "../../model/values/repository.ts";
import { realPath } from "../../platform/fs/fs-links.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";

export { fitsRepository, letsNothingLeave } from "../../hub/sync/rules.ts";

/** An address is as good as a name, with stars in it, too. A rule that fits nothing would look as if it held something back. */
export function toRepositoryPattern(text: string): string {
  const asked = text.trim();
  if (isAbsolutePath(asked) || /^[.~]/.test(asked))
    throw new AppError(
      "usage",
      `"${text}" is a folder, and no name of a repository`,
      "Write owner/name or its address, or name the folder with --folder",
    );
  return repositoryNamed(asked);
}

export const repositoryNamed = (text: string): string =>
  OF_GITHUB.test(text) ? "*/*" : (toRepositoryName(text) ?? text);

/** All of them: their names begin with no host. */
const OF_GITHUB = new RegExp(
  String.raw`^(?:https?://)?(?:www\.)?${GITHUB.replace(".", "\\.")}/\*{1,2}/?$`,
  "i",
);

/** Sessions have a folder under its own name, where it was named by a link: both are meant. */
export async function toFolderPatterns(fs: SessionFs, text: string): Promise<readonly string[]> {
  const pattern = withoutEndSeparators(text) || text;
  const star = pattern.indexOf("*");
  const fixed = star < 0 ? pattern : pattern.slice(0, Math.max(pattern.lastIndexOf("/", star), 0));
  if (!isAbsolutePath(fixed)) return [pattern];
  const real = (await realPath(fs, fixed)) + pattern.slice(fixed.length);
  return real === pattern ? [pattern] : [pattern, real];
}
