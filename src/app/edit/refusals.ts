/** Why a source cannot make a change, and what people can do instead. */
import { AppError } from "../../model/errors.ts";
import type { Artifact } from "../../model/session/session.ts";

export const notRescuable = ({ source, id }: Artifact): AppError =>
  new AppError("not-supported", "Rethread cannot repair sessions of this source yet", {
    say: "Read what is left of it",
    remedy: { action: "show", session: `${source}:${id}` },
  });

export const withoutFiles = ({ source, id }: Artifact, to: number | string): AppError =>
  new AppError(
    "not-supported",
    `Rethread cannot restore files for session ${id}: its program does not record them`,
    {
      say: "Rewind only the conversation",
      remedy: { action: "rewind", session: `${source}:${id}`, args: { to } },
    },
  );

export const notMovable = ({ source, id }: Artifact): AppError =>
  new AppError(
    "not-supported",
    `Rethread cannot move session ${id}: it does not support sessions of this program yet`,
    {
      say: "Make a copy in the other folder",
      remedy: { action: "clone", session: `${source}:${id}`, asks: { to: "folder" } },
    },
  );

/** Only where sessions are read that applications keep on a hub: no home of this machine is concerned. */
export const noProgramHere = (): AppError =>
  new AppError(
    "not-supported",
    "These sessions are kept by a hub, so no program of this machine is concerned with them",
    "Unset RETHREAD_PROVIDER_URL to work with this machine's own sessions",
  );
