/** A SessionFs of another kind together with the disk: what it does not hold is read from the machine. */
import { localFs } from "./local.ts";
import { type SessionFs, statEach } from "./session-fs.ts";

/** Only what `holds` accepts is written; of all else the other file system says why not. */
export function besideDisk(fs: SessionFs, holds: (path: string) => boolean): SessionFs {
  const of = (path: string): SessionFs => (holds(path) ? fs : localFs);
  return {
    ...fs,
    read: (path, range) => of(path).read(path, range),
    chunks: (path, range) => of(path).chunks(path, range),
    exists: (path) => of(path).exists(path),
    stat: (path) => of(path).stat(path),
    readdir: (path) => of(path).readdir(path),
    async statEach(paths) {
      const [held, others] = [paths.filter(holds), paths.filter((path) => !holds(path))];
      const answers = [await statEach(fs, held), await statEach(localFs, others)].map((each) =>
        each.values(),
      );
      return paths.map((path) => answers[holds(path) ? 0 : 1]?.next().value);
    },
  };
}
