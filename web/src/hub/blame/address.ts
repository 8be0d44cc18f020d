/** Where the lines of a file are blamed on a hub: by the repository, and the path in it. */
import { below } from "../../pages/session/conversation/below.ts";
import type { BlameAddress } from "../../pages/session/inspector/files.tsx";
import type { Session } from "../../pages/session/types.ts";

/** Nothing for a file of no repository, or outside of the session's folder. */
export function blameAddress({ repository, workspace }: Session, path: string): BlameAddress | undefined {
  const file = below(workspace, path).replaceAll("\\", "/");
  return repository === null || /^([A-Za-z]:)?\//.test(file) ? undefined : { repo: repository, file };
}
