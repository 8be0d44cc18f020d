/** A clone: the same conversation under a new id, in the same workspace or another one. */
import type { Draft } from "../../../model/plan.ts";
import type { Artifact } from "../../../model/session.ts";
import type { SessionFs } from "../../../platform/session-fs.ts";
import type { CloneRequest } from "../../source.ts";
import { copySession } from "./copy.ts";
import { contentIn } from "./form.ts";
import { checkId } from "./home.ts";
import { toIdentity } from "./identity.ts";
import { lookInto } from "./look.ts";
import { findTarget } from "./target.ts";

export async function clone(fs: SessionFs, artifact: Artifact, request: CloneRequest): Promise<Draft> {
  const id = checkId(request.id);
  const look = await lookInto(fs, artifact);
  const target = await findTarget(fs, artifact, request.workspace);
  const title = request.name ?? look.title;
  const amendments = toIdentity(look, look.turns, { id, title, isElsewhere: target.isElsewhere });
  const draft = await copySession(fs, artifact, look, {
    id,
    now: request.now,
    title,
    target,
    turns: look.turns,
    content: (form) => contentIn(fs, artifact.path, look, { amendments }, form),
  });
  return { ...draft, ...(request.name !== undefined && { name: request.name }) };
}
