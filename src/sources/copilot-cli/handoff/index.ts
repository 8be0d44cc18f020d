/** Takes sessions of other programs as new sessions of Copilot CLI. */
import { sizeOfPieces } from "../../../model/plan.ts";
import type { Handoff } from "../../handoff.ts";
import type { IncomingFile } from "../../requests.ts";
import { take } from "../edit/copy/import.ts";
import { noteFolder } from "../edit/copy/noted-folder.ts";
import { changeFields } from "../edit/copy/workspace-text.ts";
import { editor } from "../edit/index.ts";
import { CHECKPOINT_FOLDER, CHECKPOINT_INDEX, CHECKPOINT_TABLE_HEAD } from "../workspace/checkpoints.ts";
import { LOG } from "../workspace/locate.ts";
import { WORKSPACE_FILE } from "../workspace/workspace.ts";
import { tools } from "./tools.ts";
import { writeLog } from "./write.ts";

export const handoff: Handoff = {
  tools,
  carries: {
    thinking: true,
    files: true,
    images: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  },
  stagingDir: editor.stagingDir,
  async draw(fs, conversation, request) {
    const { root, id, now, name, workspace } = request;
    const folder = await noteFolder(fs, workspace);
    const { createdAt = now.toISOString() } = conversation.session;
    const about = changeFields("", {
      id,
      ...folder.fields,
      client_name: "github/cli",
      name,
      user_named: true,
      summary_count: 0,
      fork_count: 0,
      created_at: createdAt,
      updated_at: now.toISOString(),
    });
    const file = (path: string, text: string): IncomingFile => {
      const pieces = [{ text }];
      return { path, mode: 0o600, mtimeMs: now.getTime(), size: sizeOfPieces(pieces), pieces };
    };
    return take(
      fs,
      [
        file(LOG, [...writeLog(conversation, request, folder)].join("")),
        file(WORKSPACE_FILE, about),
        file(`${CHECKPOINT_FOLDER}/${CHECKPOINT_INDEX}`, CHECKPOINT_TABLE_HEAD),
      ],
      { root, id, now },
    );
  },
};
