/** Finds the logs below a Codex home by their names alone; no session is opened. */
import type { Problem } from "../../model/problem.ts";
import type { Artifact } from "../../model/session/session.ts";
import { isErrno, reasonOf, type SessionFs, statEach } from "../../platform/fs/session-fs.ts";
import { titleFrom } from "../log/jsonl.ts";
import type { ScanSink } from "../source.ts";
import { eachLogFile } from "./find-logs.ts";
import { isArchived, namesFile, parseLogName, SOURCE } from "./locate.ts";
import { readNames } from "./names.ts";

interface FoundLog {
  readonly log: string;
  readonly artifact: Artifact;
}

export async function scan(fs: SessionFs, root: string, sink: ScanSink): Promise<void> {
  const found = new Map<string, FoundLog[]>();
  const names = await namesIn(fs, root, sink);
  await eachLogFile(fs, root, {
    failed: (path, error) => sink.problem(problem(path, "folder-unreadable", reasonOf(error))),
    async file(path) {
      const name = parseLogName(path);
      if (!name) return;
      if (name.isCompressed) {
        sink.problem({ ...compressed(path), session: name.session });
        return;
      }
      const artifact = await toArtifact(fs, root, name.session, path, names, sink);
      if (artifact) found.set(artifact.id, [...(found.get(artifact.id) ?? []), { log: name.log, artifact }]);
    },
  });
  for (const logs of found.values()) choose(logs, sink);
}

/** Looks at one session again. Nothing when its log is not where it was. */
export async function inspect(fs: SessionFs, artifact: Artifact): Promise<Artifact | undefined> {
  const [found] = await statEach(fs, [artifact.path]);
  if (!found || found instanceof Error || found.kind !== "file") return undefined;
  const { size, mtimeMs, ino } = found;
  const names = await namesIn(fs, artifact.root, { problem: () => undefined });
  const { listed: _, ...rest } = artifact;
  return { ...rest, fingerprint: { size, mtimeMs, ino }, ...listing(names, artifact.id) };
}

/**
 * Of the logs of one session the last one made counts: those before it hold what was taken back. The same log may also lie
 * in two places, and then the archive comes last, before copies that were not written for longer.
 */
function choose(logs: readonly FoundLog[], sink: ScanSink): void {
  const [current] = logs.toSorted(
    (a, b) =>
      Number(isFirstLog(a)) - Number(isFirstLog(b)) ||
      (a.log === b.log ? 0 : b.log < a.log ? -1 : 1) ||
      Number(isArchived(a.artifact)) - Number(isArchived(b.artifact)) ||
      b.artifact.fingerprint.mtimeMs - a.artifact.fingerprint.mtimeMs,
  );
  if (!current) return;
  const { log, artifact } = current;
  sink.artifact(artifact);
  for (const { artifact: copy } of logs.filter((each) => each.log === log && each !== current))
    sink.problem({
      ...problem(
        copy.path,
        "twin-stale",
        `another copy of the session, at ${artifact.path}, is the one that counts`,
      ),
      session: copy.id,
    });
}

/** It has the id of its session; ids of later ones begin with their time. */
const isFirstLog = ({ log, artifact }: FoundLog): boolean => log === artifact.id;

async function toArtifact(
  fs: SessionFs,
  root: string,
  id: string,
  path: string,
  names: ReadonlyMap<string, string>,
  sink: ScanSink,
): Promise<Artifact | undefined> {
  const [found] = await statEach(fs, [path]);
  if (found && !(found instanceof Error) && found.kind === "file") {
    const { size, mtimeMs, ino } = found;
    return { source: SOURCE, id, root, path, fingerprint: { size, mtimeMs, ino }, ...listing(names, id) };
  }
  const why =
    found instanceof Error ? reasonOf(found) : found ? "not a regular file" : "it leads nowhere, or is gone";
  sink.problem({ ...problem(path, "session-unreadable", why), session: id });
  return undefined;
}

function listing(names: ReadonlyMap<string, string>, id: string): Pick<Artifact, "listed"> {
  const name = names.get(id);
  return name === undefined ? {} : { listed: { state: "listed", title: titleFrom(name) } };
}

async function namesIn(
  fs: SessionFs,
  root: string,
  sink: Pick<ScanSink, "problem">,
): Promise<ReadonlyMap<string, string>> {
  try {
    return await readNames(fs, root);
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
    if (!isErrno(error, "ENOENT", "ENOTDIR"))
      sink.problem(problem(namesFile(root), "index-unavailable", reasonOf(error)));
    return new Map();
  }
}

const compressed = (path: string): Problem => ({
  ...problem(path, "format-newer", "the log is compressed, which rethread cannot read"),
  fix: "Resume it in Codex CLI, which unpacks it",
});

const problem = (path: string, code: Problem["code"], message: string): Problem => ({
  code,
  source: SOURCE,
  path,
  message,
});
