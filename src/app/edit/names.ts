/** Names and folders in requests, checked before a source gets them. */
import { resolve } from "node:path";
import { AppError } from "../../model/errors.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import type { Editor, WorkspaceNames } from "../../sources/editor.ts";

/** A name as people type it, on one line, as programs show no other; a session without one would go by its first prompt. */
export function toName(text: string): string {
  const name = text.replace(/\s*[\r\n\u2028\u2029]\s*/g, " ").trim();
  if (name !== "") return name;
  throw new AppError("usage", "The name of a session must not be empty", "Write it in quotes");
}

/** Longer names are cut by the programs that show them. */
const LONGEST = 100;

/** What a copy is called where nobody named it, after so many earlier ones of its session: `X (clone)`, `X (clone 2)`. */
export const copyNamer =
  (kind: "clone" | "fork", earlier: number) =>
  (title: string): string => {
    const suffix = earlier === 0 ? ` (${kind})` : ` (${kind} ${earlier + 1})`;
    return (
      oneLine(title)
        .slice(0, LONGEST - suffix.length)
        .trimEnd() + suffix
    );
  };

const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim();

/** A workspace by the name that its source has for it, or a folder that is there. */
export async function toWorkspace(
  fs: SessionFs,
  editor: Pick<Editor, "workspaces">,
  near: Parameters<WorkspaceNames["find"]>[1],
  text: string,
  base: string,
): Promise<string> {
  const known = await editor.workspaces?.find(fs, near, text, base);
  if (known !== undefined) return known;
  const folder = resolve(base, text);
  if ((await fs.exists(folder)) && (await fs.stat(folder)).kind === "folder") return folder;
  throw editor.workspaces
    ? new AppError("usage", `${text} is neither a folder nor the id of a workspace`, {
        say: "See the workspaces and their ids",
        remedy: { action: "workspaces" },
      })
    : new AppError("usage", `${folder} is not a folder`, "Name the folder for the session");
}
