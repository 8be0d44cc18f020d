/**
 * Creates the demo home: composes every story with its source, damages some on purpose, and puts it in place in one
 * step.
 */
import { randomUUID } from "node:crypto";
import { dirname, join, relative } from "node:path";
import { AppError } from "../model/errors.ts";
import type { FileImage } from "../model/image.ts";
import type { SourceId } from "../model/session/session.ts";
import type { Story } from "../model/session/story.ts";
import { filesOf } from "../model/session/story-files.ts";
import { memberOf, setMember } from "../model/values/member.ts";
import { folderIdentity } from "../platform/disk/folder-identity.ts";
import { realPath } from "../platform/fs/fs-links.ts";
import type { SessionFs } from "../platform/fs/session-fs.ts";
import { toFileBytes } from "../platform/sqlite/key-value-db.ts";
import type { Source } from "../sources/source.ts";
import { AGENT_NOTES } from "./board.ts";
import { harm } from "./damage.ts";
import { demoFolder, demoVars, rootIn, workFolder } from "./places.ts";
import { CHAPTERS } from "./stories/index.ts";
import { type ToldStory, tell } from "./tell.ts";
import { workFiles } from "./work-files.ts";

export interface DemoRequest {
  readonly fs: SessionFs;
  readonly sources: readonly Source[];
  /** Rethread's own data folder. */
  readonly home: string;
  /** The youngest story ends shortly before this moment. */
  readonly now: Date;
}

export interface Demo {
  readonly folder: string;
  /** The environment in which the sources find the demo. */
  readonly vars: Readonly<Record<string, string>>;
  /** How many sessions can be read; one more is lost on purpose. */
  readonly sessions: number;
  readonly bySource: Readonly<Record<SourceId, number>>;
}

const TITLE = "# The Rethread demo";
const README = `${TITLE}

Made-up sessions of coding agents, written by \`rethread demo\`, for trying things out. The repositories, the bugs and
their fixes are invented; the files are what the real programs would have written. Delete this folder whenever you like.
`;

/** Writes a new demo beside the old one and then swaps them, so that it is never incomplete. */
export async function createDemo({ fs, sources, home, now }: DemoRequest): Promise<Demo> {
  const folder = demoFolder(home);
  if (!(await mayReplace(fs, folder))) throw notOurs(folder);
  const suffix = randomUUID().slice(0, 8);
  const fresh = `${folder}.new-${suffix}`;
  // Programs record the folders they run in without the links that lead there.
  await fs.mkdir(home);
  const work = workFolder(demoFolder(await realPath(fs, home)));
  const told = tell(CHAPTERS, work, now);
  const left = told.filter(({ telling }) => telling.damage !== "lost");
  const bySource = Object.groupBy(told, ({ telling }) => telling.source);
  try {
    for (const { folder: name, repository, renamedTo } of CHAPTERS) {
      const place = join(workFolder(fresh), renamedTo ?? name);
      await fs.mkdir(place);
      // A renamed folder is known by its remote.
      if (renamedTo !== undefined) await putRepository(fs, place, repository);
    }
    const stories = told.map(({ story }) => story);
    await putFiles(fs, workFiles(CHAPTERS, stories, work), work, workFolder(fresh));
    for (const story of stories)
      if (story.files) await putFiles(fs, filesOf(story).last, work, workFolder(fresh));
    const identityOf = ({ workspace }: Story): Promise<string | undefined> =>
      identityAt(fs, join(workFolder(fresh), relative(work, workspace)));
    for (const [id, stories = []] of Object.entries(bySource))
      for (const image of await toImages(sourceCalled(id, sources), stories, identityOf))
        await put(fs, rootIn(fresh, id), image);
    await fs.write(join(fresh, "README.md"), README, 0o644);
    await swap(fs, fresh, folder, `${folder}.old-${suffix}`);
  } finally {
    await fs.rm(fresh);
  }
  return {
    folder,
    vars: demoVars(folder),
    sessions: left.length,
    bySource: countBySource(left),
  };
}

/** Only what this function wrote, or nothing at all, gives way to a new demo. */
async function mayReplace(fs: SessionFs, folder: string): Promise<boolean> {
  if (!(await fs.exists(folder)) || (await fs.readdir(folder)).length === 0) return true;
  const readme = join(folder, "README.md");
  return (
    (await fs.exists(readme)) &&
    Buffer.from(await fs.read(readme))
      .toString()
      .startsWith(TITLE)
  );
}

const notOurs = (folder: string): AppError =>
  new AppError(
    "usage",
    `${folder} holds something that is not a Rethread demo`,
    "Move it away, or name another data folder with RETHREAD_HOME",
  );

function countBySource(stories: readonly ToldStory[]): Record<SourceId, number> {
  const counts: Record<SourceId, number> = {};
  for (const { telling } of stories)
    setMember(counts, telling.source, (memberOf(counts, telling.source) ?? 0) + 1);
  return counts;
}

/** The files of all stories of one source. */
async function toImages(
  source: Source,
  stories: readonly ToldStory[],
  identityOf: (story: Story) => Promise<string | undefined>,
): Promise<FileImage[]> {
  const images: FileImage[] = [];
  for (const { telling, story } of stories) {
    const composed = await source.demo?.compose(story, await identityOf(story));
    if (!composed) throw new Error(`${source.label} cannot compose sessions`);
    images.push(...(telling.damage ? harm(composed, telling.damage) : composed));
  }
  return (await source.demo?.merge?.(images, AGENT_NOTES)) ?? images;
}

/** A folder keeps it when the new demo takes its place. */
const identityAt = async (fs: SessionFs, folder: string): Promise<string | undefined> =>
  (await fs.exists(folder)) ? folderIdentity(fs, folder) : undefined;

function sourceCalled(id: SourceId, sources: readonly Source[]): Source {
  const found = sources.find((source) => source.id === id);
  if (!found) throw new Error(`no source called ${id}`);
  return found;
}

async function put(fs: SessionFs, root: string, image: FileImage): Promise<void> {
  const path = join(root, image.path);
  await fs.mkdir(dirname(path));
  await fs.write(path, toFileBytes(image.content), image.mode);
  if (image.mtime !== undefined) await fs.touch?.(path, Date.parse(image.mtime));
}

/** As git creates it, before the first commit. */
async function putRepository(fs: SessionFs, folder: string, repository: string): Promise<void> {
  const git = join(folder, ".git");
  for (const name of ["objects", "refs"]) await fs.mkdir(join(git, name));
  await fs.write(join(git, "HEAD"), "ref: refs/heads/main\n", 0o644);
  const remote = `[remote "origin"]\n\turl = https://github.com/${repository}.git\n`;
  await fs.write(join(git, "config"), `[core]\n\trepositoryformatversion = 0\n${remote}`, 0o644);
}

/** The files that stories were about, as they are today. A folder that was renamed has none under its old name. */
async function putFiles(
  fs: SessionFs,
  files: ReadonlyMap<string, string>,
  from: string,
  to: string,
): Promise<void> {
  for (const [path, text] of files) {
    const place = join(to, placeOf(relative(from, path)));
    await fs.mkdir(dirname(place));
    await fs.write(place, text, 0o644);
  }
}

/** Below the folder's name of today. */
function placeOf(path: string): string {
  const renamed = CHAPTERS.find(
    ({ folder, renamedTo }) => renamedTo !== undefined && path.startsWith(`${folder}/`),
  );
  return renamed?.renamedTo === undefined ? path : join(renamed.renamedTo, path.slice(renamed.folder.length));
}

async function swap(fs: SessionFs, fresh: string, folder: string, old: string): Promise<void> {
  if (await fs.exists(folder)) await fs.rename(folder, old);
  await fs.rename(fresh, folder);
  await fs.rm(old);
}
