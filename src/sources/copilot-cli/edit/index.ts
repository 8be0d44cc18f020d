/** What changes to a session mean for the files of Copilot CLI. */
import type { Editor } from "../../editor.ts";
import { stateFolder, under } from "../workspace/locate.ts";
import { clone } from "./copy/clone.ts";
import { fork } from "./copy/fork.ts";
import { take } from "./copy/import.ts";
import { OPERATION_LOCKS, remove } from "./cut/remove.ts";
import { rename } from "./cut/rename.ts";
import { rewind } from "./cut/rewind.ts";
import { move } from "./move/move.ts";
import { preview } from "./reduce/preview.ts";
import { rescue } from "./rescue/rescue.ts";
import { scrub } from "./scrub/scrub.ts";
import { checkpoint } from "./summary/checkpoint.ts";
import { compact } from "./summary/compact.ts";
import { writer } from "./summary/writer.ts";

export const editor: Editor = {
  // Beside the program's own locks, where it opens only what is named after a session.
  stagingDir: (root) => under(stateFolder(root), OPERATION_LOCKS, ".rethread"),
  clone,
  fork,
  rewind,
  rename,
  remove,
  preview,
  summaries: { compact, checkpoint, writer },
  moves: { move },
  imports: { take },
  scrubs: { scrub },
  repairs: { session: rescue },
};
