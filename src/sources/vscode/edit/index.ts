/** What changes to a session mean for the files and the list of VS Code. */
import { join } from "node:path";
import type { Editor } from "../../source.ts";
import { clone } from "./clone.ts";
import { fork } from "./fork.ts";
import { take } from "./import.ts";
import { objectionTo } from "./list.ts";
import { remove } from "./remove.ts";
import { rename } from "./rename.ts";
import { rescue, rescueAll } from "./rescue.ts";
import { rewind } from "./rewind.ts";
import { findUser, inUse } from "./running.ts";
import { chooseRoot, toWorkspace } from "./target.ts";

export const editor: Editor = {
  // Beside what belongs to the user, where VS Code looks into what it knows by name.
  hideout: (root) => join(root, ".rethread"),
  database: { findUser, inUse, objectionTo },
  chooseRoot,
  toWorkspace,
  take,
  clone,
  fork,
  rewind,
  rename,
  remove,
  rescue,
  rescueAll,
};
