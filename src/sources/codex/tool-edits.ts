/** What Codex CLI's tools do to files, as far as their arguments tell. */

import { asObject } from "../log/jsonl.ts";
import { parsePatch } from "../tools/apply-patch.ts";
import type { ToolEditReader } from "../tools/edits.ts";
import { editsOf } from "./log/done-items.ts";
import { patchIn } from "./tool-actions.ts";

export const toolEdits: ToolEditReader = (name, input) => {
  const patch = patchIn(name, input);
  if (patch !== undefined) return parsePatch(patch);
  // The calls of code that a model wrote are recorded by what they did.
  return name === "apply_patch" ? editsOf(asObject(input)?.changes) : [];
};
