/** What changes to a session mean for the files of Claude Code. */
import { join } from "node:path";
import type { Editor } from "../../editor.ts";
import { clone } from "./copy/clone.ts";
import { fork } from "./copy/fork.ts";
import { take } from "./copy/import.ts";
import { stepRules } from "./copy/project-folder.ts";
import { remove } from "./cut/remove.ts";
import { rename } from "./cut/rename.ts";
import { rewind } from "./cut/rewind.ts";
import { move } from "./move/move.ts";
import { preview } from "./reduce/preview.ts";
import { rescue } from "./rescue/rescue.ts";
import { scrub } from "./scrub/scrub.ts";
import { compact } from "./summary/compact.ts";
import { writer } from "./summary/writer.ts";

export const editor: Editor = {
  // Beside the program's own folders, none of which it looks for by that name.
  stagingDir: (root) => join(root, ".rethread"),
  clone,
  fork,
  rewind,
  rename,
  remove,
  preview,
  summaries: { compact, writer },
  moves: { move },
  imports: { take },
  repairs: { session: rescue },
  scrubs: { scrub },
  steps: stepRules,
};
