/** Why a source cannot make a change, and what people can do instead. */
import { AppError } from "../../model/errors.ts";
import type { Artifact } from "../../model/session.ts";
import { shellLine } from "../../model/shell-words.ts";

export const notRescuable = ({ source, id }: Artifact): AppError =>
  new AppError(
    "not-supported",
    "Rethread cannot repair sessions of this source yet",
    `Read what is left of it: ${shellLine`rethread show ${source}:${id}`}`,
  );

export const withoutFiles = ({ source, id }: Artifact, to: number): AppError =>
  new AppError(
    "not-supported",
    `Rethread cannot restore files for session ${id}: its program does not record them`,
    `Rewind the conversation alone: ${shellLine`rethread rewind ${source}:${id} --to ${to}`}`,
  );

export const notMovable = ({ source, id }: Artifact): AppError =>
  new AppError(
    "not-supported",
    `Rethread cannot move session ${id}: it does not support sessions of this program yet`,
    `Make a copy in the other folder: ${shellLine`rethread clone ${source}:${id} --to <folder>`}`,
  );
