/** The errors of bundles, each with a next step. */
import { AppError } from "../model/errors.ts";

export const damaged = (what: string, cause?: unknown): AppError =>
  new AppError(
    "bundle-damaged",
    `The bundle is damaged: ${what}; nothing was written`,
    "Get it again from where it came from",
    cause,
  );

export const unsafe = (what: string): AppError =>
  new AppError(
    "bundle-unsafe",
    `The bundle is refused: ${what}; nothing was written`,
    "Only import bundles from people you trust; ask them for one that `rethread export` made",
  );

export const unknown = (path: string): AppError =>
  new AppError(
    "bundle-unknown",
    `${path} is not a bundle, a transcript that Copilot CLI imports, or a chat that VS Code exported`,
    {
      say: "Create a bundle where the session is",
      remedy: {
        action: "export",
        args: { format: "bundle", out: "session.tar.gz" },
        asks: { session: "session" },
      },
    },
  );

export const newer = (version: number): AppError =>
  new AppError(
    "bundle-newer",
    `The bundle has version ${version}, which this rethread does not know; nothing was written`,
    "Update rethread and run the command again",
  );
