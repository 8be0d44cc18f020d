/** What changes to a session mean for the files of Copilot CLI. */
import type { Editor } from "../../editor.ts";
import { stateFolder, under } from "../locate.ts";
import { checkpoint } from "./checkpoint.ts";
import { clone } from "./clone.ts";
import { compact } from "./compact.ts";
import { fork } from "./fork.ts";
import { take } from "./import.ts";
import { move } from "./move.ts";
import { OPERATION_LOCKS, remove } from "./remove.ts";
import { rename } from "./rename.ts";
import { rescue } from "./rescue.ts";
import { rewind } from "./rewind.ts";
import { writer } from "./summary-writer.ts";

export const editor: Editor = {
  // Beside the program's own locks, where it opens only what is named after a session.
  hideout: (root) => under(stateFolder(root), OPERATION_LOCKS, ".rethread"),
  clone,
  fork,
  rewind,
  compact,
  checkpoint,
  writer,
  rename,
  move,
  remove,
  take,
  rescue,
};
