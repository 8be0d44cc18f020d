/** workspace.yaml: what the program knows about a session beside its log (folder, repository, name). */
import { isOddTime, toIso } from "../../../model/values/time.ts";
import { isErrno, reasonOf, type SessionFs } from "../../../platform/fs/session-fs.ts";
import { asObject, asString } from "../../log/jsonl.ts";
import { parseFlat } from "./flat-yaml.ts";
import { under } from "./locate.ts";

export interface Workspace {
  readonly folder?: string;
  readonly repository?: string;
  readonly branch?: string;
  readonly name?: string;
  readonly createdAt?: string;
  /** It names a time that cannot be true. */
  readonly hasOddTime?: true;
  readonly checkpoints: number;
}

export const WORKSPACE_FILE = "workspace.yaml";
const NOTHING: Workspace = { checkpoints: 0 };

/** The program creates the file again when it is missing, so that alone is not a problem. */
export async function readWorkspace(
  fs: SessionFs,
  sessionFolder: string,
  unreadable: (path: string, why: string) => void,
): Promise<Workspace> {
  const path = under(sessionFolder, WORKSPACE_FILE);
  try {
    const text = Buffer.from(await fs.read(path)).toString("utf8");
    return toWorkspace(parseFlat(text) ?? (await parseWhole(text)));
  } catch (error) {
    if (!isErrno(error, "ENOENT")) unreadable(path, reasonOf(error).split("\n", 1)[0] ?? "");
    return NOTHING;
  }
}

/** Loaded when it is needed, which is rare: it takes longer than everything else here. */
async function parseWhole(text: string): Promise<unknown> {
  if (text.length > LONGEST) throw new Error("it is longer than any file that the program writes");
  return (await import("./whole-yaml.ts")).parseWhole(text);
}
/** The parser takes seconds for more, if that is made for it, and every list would wait. */
const LONGEST = 256 << 10;

function toWorkspace(value: unknown): Workspace {
  const raw = asObject(value);
  if (!raw) return NOTHING;
  const folder = said(raw.cwd) ?? said(raw.git_root);
  const repository = said(raw.repository);
  const branch = said(raw.branch);
  // Early versions wrote `summary` where later ones write `name`.
  const name = said(raw.name) ?? said(raw.summary);
  const createdAt = toIso(raw.created_at);
  return {
    checkpoints: Number(asString(raw.summary_count) ?? 0) || 0,
    ...(folder !== undefined && { folder }),
    ...(repository !== undefined && { repository }),
    ...(branch !== undefined && { branch }),
    ...(name !== undefined && { name }),
    ...(createdAt !== undefined && { createdAt }),
    ...(isOddTime(raw.created_at) && { hasOddTime: true }),
  };
}

const said = (value: unknown): string | undefined => {
  const text = asString(value);
  return text === undefined || text.trim() === "" ? undefined : text;
};
