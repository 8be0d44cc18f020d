/** Takes sessions of other programs as new chats of VS Code, listed in the workspace that they are about. */
import { sizeOfPieces } from "../../../model/plan.ts";
import type { Handoff } from "../../handoff.ts";
import { nothingToShow } from "../edit/copy/inspect.ts";
import { stagingDir } from "../edit/copy/session-home.ts";
import { chooseRoot, toWorkspace } from "../edit/copy/target.ts";
import { take } from "../edit/interchange/import.ts";
import { tools } from "./tools.ts";
import { writeChat } from "./write.ts";

export const handoff: Handoff = {
  tools,
  carries: {
    thinking: true,
    files: true,
    images: ["image/png", "image/jpeg", "image/gif", "image/webp"],
  },
  stagingDir,
  chooseRoot,
  workspaces: { find: toWorkspace },
  async draw(fs, conversation, request) {
    const { root, id, now, workspace } = request;
    if (conversation.turns.length === 0 && !conversation.summary)
      throw nothingToShow(conversation.session.id);
    const pieces = [{ text: `${JSON.stringify({ kind: 0, v: writeChat(conversation, request) })}\n` }];
    const file = {
      path: `chatSessions/${id}.jsonl`,
      mode: 0o600,
      mtimeMs: now.getTime(),
      size: sizeOfPieces(pieces),
      pieces,
    };
    return take(fs, [file], { root, id, now, workspace });
  },
};
