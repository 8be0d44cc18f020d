/** What changes to a session mean for the files and the list of VS Code. */
import type { Editor } from "../../editor.ts";
import { clone } from "./copy/clone.ts";
import { fork } from "./copy/fork.ts";
import { stagingDir } from "./copy/session-home.ts";
import { chooseRoot, toWorkspace } from "./copy/target.ts";
import { take } from "./interchange/import.ts";
import { joinSteps } from "./list/join-steps.ts";
import { whyRejected } from "./list/list.ts";
import { remove } from "./list/remove.ts";
import { findUser, inUse } from "./list/running.ts";
import { splitPlacedFolder } from "./list/split-placed-folder.ts";
import { move } from "./move/move.ts";
import { findEditor } from "./move/route.ts";
import { rename } from "./patch/rename.ts";
import { rewind } from "./patch/rewind.ts";
import { preview } from "./reduce/preview.ts";
import { rescue, rescueAll } from "./rescue/rescue.ts";
import { scrub } from "./scrub/scrub.ts";

export const editor: Editor = {
  stagingDir,
  clone,
  fork,
  rewind,
  rename,
  remove,
  preview,
  moves: { move, findEditor },
  imports: { take, chooseRoot },
  scrubs: { scrub },
  repairs: { session: rescue, all: rescueAll },
  workspaces: { find: toWorkspace },
  steps: { join: joinSteps, splitPlacedFolder },
  database: { findUser, inUse, whyRejected },
};
