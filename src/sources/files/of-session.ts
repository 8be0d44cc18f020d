/** Lists the files that belong to a session, for backups, bundles and the archive. */
import { isAtOrBelow } from "../../model/values/paths.ts";
import { isErrno, reasonOf, type SessionFs } from "../../platform/fs/session-fs.ts";

/** Called for files of a session that cannot be listed, with the reason. */
export type OnSkipped = (path: string, why: string) => void;

type Listable = Pick<SessionFs, "readdir" | "realPath">;

/** Every file below a folder, also behind links; nothing where there is no such folder. */
export async function filesBelow(
  fs: Listable,
  folder: string,
  join: (folder: string, name: string) => string,
  onSkipped: OnSkipped = () => undefined,
): Promise<string[]> {
  const files: string[] = [];
  /** `around` are the folders that it lies in, without links: one of them again would go on in a circle. */
  const list = async (at: string, around: readonly string[]): Promise<void> => {
    for (const { name, kind } of await entriesOf(fs, at, onSkipped)) {
      const path = join(at, name);
      if (kind === "file") files.push(path);
      else if (kind === "other") onSkipped(path, "it leads nowhere, or is neither a file nor a folder");
      else {
        const real = (await fs.realPath?.(path)) ?? path;
        if (around.some((each) => isAtOrBelow(each, real)))
          onSkipped(path, "it leads back to a folder that contains it");
        else await list(path, [...around, real]);
      }
    }
  };
  await list(folder, [(await fs.realPath?.(folder)) ?? folder]);
  return files;
}

export async function whichExist(fs: Pick<SessionFs, "exists">, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) if (await fs.exists(path)) found.push(path);
  return found;
}

async function entriesOf(fs: Listable, folder: string, onSkipped: OnSkipped) {
  try {
    return await fs.readdir(folder);
  } catch (error) {
    if (isErrno(error, "EACCES", "EPERM", "ELOOP", "ENAMETOOLONG"))
      onSkipped(folder, `it cannot be listed: ${reasonOf(error)}`);
    else if (!isErrno(error, "ENOENT", "ENOTDIR")) throw error;
    return [];
  }
}
