/** What changes to a session mean for the files and the list of VS Code. */
import type { Editor } from "../../editor.ts";
import { takeApart } from "./apart.ts";
import { clone } from "./clone.ts";
import { fork } from "./fork.ts";
import { hideout } from "./home.ts";
import { take } from "./import.ts";
import { joinSteps } from "./join-steps.ts";
import { objectionTo } from "./list.ts";
import { move } from "./move.ts";
import { findEditor } from "./move-route.ts";
import { remove } from "./remove.ts";
import { rename } from "./rename.ts";
import { rescue, rescueAll } from "./rescue.ts";
import { rewind } from "./rewind.ts";
import { findUser, inUse } from "./running.ts";
import { chooseRoot, toWorkspace } from "./target.ts";

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
