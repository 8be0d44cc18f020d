/** What the instructions of repositories could be told: lessons from the store, held against the files that are there. */
import { type Improvements, makeImprovements } from "../../chronicle/improve/improve.ts";
import type { InstructionFile } from "../../chronicle/improve/instruction-files.ts";
import { findLessons, readLessonRows } from "../../chronicle/improve/lessons.ts";
import { AppError } from "../../model/errors.ts";
import { createRedactor } from "../../model/redact/redact.ts";
import { isRootPath } from "../../model/values/paths.ts";
import { isSamePlace } from "../../platform/disk/identity.ts";
import type { AppConfig } from "../config.ts";
import type { WorkPlace } from "../filters.ts";
import type { Request } from "../request.ts";
import { rangeOf, scopeOf } from "./range.ts";

export interface ImproveOf extends WorkPlace {
  /** Only these files; without it those that are there, or else AGENTS.md. */
  readonly files?: readonly InstructionFile[];
  /** Only findings with these ids. */
  readonly findings?: readonly string[];
}

const DAYS = 90;

export async function improvementsIn(
  request: Request,
  config: AppConfig,
  { files, findings, ...wanted }: ImproveOf,
): Promise<Improvements> {
  const range = rangeOf(wanted, DAYS, config);
  const scope = await scopeOf(wanted, range, request);
  const rows = await request.askStore(wanted, ({ db }) => readLessonRows(db, scope));
  const guard = await request.openGuard();
  const lessons = findLessons(rows, createRedactor().text);
  const unknown = findings?.find((id) => !lessons.some((lesson) => lesson.id === id));
  if (unknown !== undefined)
    throw new AppError("usage", `There is no proposal ${unknown} (any more)`, {
      say: "See those that there are",
      remedy: { action: "chronicle", args: { report: "improve" } },
    });
  return makeImprovements(rows, lessons, {
    ...range,
    fs: request.catalog.fs,
    // The folders of the demo are no repositories, but what lies around them may be one.
    climbs: request.demo === undefined,
    ...(files && files.length > 0 && { files }),
    ...(findings && { only: findings }),
    refusal(root) {
      if (isRootPath(root) || isSamePlace(root, config.environment.homeDir))
        return `${root} is no repository, so nothing is written there.`;
      try {
        guard.check(root);
        return undefined;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return `${error.message}.`;
      }
    },
  });
}
