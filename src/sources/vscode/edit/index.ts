/** What changes to a session mean for the files and the list of VS Code. */
import type { Editor } from "../../editor.ts";
import { clone } from "./copy/clone.ts";
import { fork } from "./copy/fork.ts";
import { hideout } from "./copy/session-home.ts";
import { chooseRoot, toWorkspace } from "./copy/target.ts";
import { take } from "./interchange/import.ts";
import { joinSteps } from "./list/join-steps.ts";
import { objectionTo } from "./list/list.ts";
import { remove } from "./list/remove.ts";
import { findUser, inUse } from "./list/running.ts";
import { takeApart } from "./list/split-placed-folder.ts";
import { move } from "./move/move.ts";
import { findEditor } from "./move/route.ts";
import { rename } from "./patch/rename.ts";
import { rewind } from "./patch/rewind.ts";
import { rescue, rescueAll } from "./rescue/rescue.ts";

export const editor: Editor = {
  hideout,
  database: { findUser, inUse, objectionTo },
  chooseRoot,
  toWorkspace,
  take,
  clone,
  fork,
  rewind,
  rename,
  move,
  joinSteps,
  takeApart,
  findEditor,
  remove,
  rescue,
  rescueAll,
};
