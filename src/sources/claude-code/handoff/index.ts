/** Takes sessions of other programs as new sessions of Claude Code: one new file in the folder of the workspace. */
import { join } from "node:path";
import { type Planned, sizeOfPieces } from "../../../model/plan.ts";
import { entryAt, realPath } from "../../../platform/fs/fs-links.ts";
import type { Handoff } from "../../handoff.ts";
import { editor } from "../edit/index.ts";
import { folderName, projectsFolder } from "../locate.ts";
import { SOURCE } from "../scan.ts";
import { tools } from "./tools.ts";
import { writeRows } from "./write.ts";

export const handoff: Handoff = {
  tools,
  carries: {
    thinking: true,
    files: false,
    images: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  },
  stagingDir: editor.stagingDir,
  async draw(fs, conversation, request) {
    const { root, id, now } = request;
    // The program resolves links before it names a folder after the workspace.
    const workspace = await realPath(fs, request.workspace);
    const projects = projectsFolder(root);
    const folder = join(projects, folderName(workspace));
    const path = join(folder, `${id}.jsonl`);
    const pieces = [{ text: [...writeRows(conversation, { ...request, workspace })].join("") }];
    const mtimeMs = now.getTime();
    const entries: Planned[] = [
      { kind: "file", path, mode: 0o600, mtimeMs, size: sizeOfPieces(pieces), pieces },
    ];
    for (const parent of [folder, projects, root])
      if (!(await entryAt(fs, parent)))
        entries.unshift({ kind: "folder", path: parent, mode: 0o700, mtimeMs });
    return {
      session: { source: SOURCE, id, path },
      basis: [],
      steps: [{ does: "place", path: entries[0]?.path ?? path, entries }],
      losses: [],
    };
  },
};
