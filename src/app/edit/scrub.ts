/** Draws what takes the secrets out of a session, by its source's editor. */
import { findLocalFiles } from "../../hub/sync/session-files.ts";
import { AppError } from "../../model/errors.ts";
import type { Draft } from "../../model/plan.ts";
import { countMarks } from "../../model/redact/marks.ts";
import { createOutgoingRedactor } from "../../model/redact/outgoing.ts";
import type { Artifact } from "../../model/session/session.ts";
import type { SessionFs } from "../../platform/fs/session-fs.ts";
import { cannot } from "../../sources/abilities.ts";
import type { Catalog } from "../../sources/catalog.ts";
import type { Editor } from "../../sources/editor.ts";
import { scrubFiles } from "../secrets/redact-session.ts";

export interface ScrubParts {
  readonly catalog: Catalog;
  readonly editor: Editor;
  readonly fs: SessionFs;
  readonly artifact: Artifact;
  readonly now: Date;
  /** By which the marks are made. */
  readonly key: Uint8Array;
}

export async function drawScrub({ catalog, editor, fs, artifact, now, key }: ScrubParts): Promise<Draft> {
  if (!editor.scrubs)
    throw new AppError("not-supported", cannot("scrub", labelOf(catalog, artifact)), {
      say: "Export it without secrets instead",
      remedy: { action: "export", session: `${artifact.source}:${artifact.id}` },
    });
  const { files, leftOut, fs: through } = await findLocalFiles(catalog, artifact);
  const redactor = createOutgoingRedactor({ key });
  const scrubbed = await scrubFiles(through, files, redactor);
  const draft = await editor.scrubs.scrub(fs, artifact, {
    files: scrubbed.files.map(({ place, pieces }) => ({ path: place, pieces })),
    text: redactor.text,
    now,
  });
  const changed = new Set(draft.steps.map(({ path }) => path));
  const marks = scrubbed.files.flatMap(({ place, marks: of }) => (changed.has(place) ? of : []));
  const passed = [...leftOut, ...scrubbed.leftOut].map(
    ({ path, why }) => `${path} was not searched: it ${why}`,
  );
  return {
    ...draft,
    losses: [...draft.losses, ...(draft.steps.length === 0 ? [] : passed)],
    redactions: countMarks(marks),
  };
}

const labelOf = ({ sources }: Catalog, { source }: Artifact): string =>
  sources.find((each) => each.source === source)?.label ?? source;
