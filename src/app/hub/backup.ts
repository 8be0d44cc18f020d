/** Backups of a hub, and what is made of them: a file of pg_dump, or one that needs no program. */
import { resolve } from "node:path";
import { DUMP_MAGIC, dumpHub, restoreDump } from "../../hub/operate/backup.ts";
import { PORTABLE_MAGIC, restorePortable, writePortable } from "../../hub/operate/portable.ts";
import { type HubStatus, wholeStatus } from "../../hub/operate/status.ts";
import { asOwner } from "../../hub/place/place.ts";
import { checkRoles } from "../../hub/place/prepare.ts";
import { AppError } from "../../model/errors.ts";
import { readStart, sizeIfThere } from "../../platform/disk/own-files.ts";
import { fileBody } from "../../platform/http/bodies.ts";
import type { ToolPlaces } from "../../platform/process/postgres-tools.ts";
import type { AppConfig } from "../config.ts";
import { writeNewFile } from "../export/file.ts";
import { type OperatorOptions, withHub, withHubPlace } from "./operator.ts";

export interface BackupFile {
  readonly file: string;
  /** `pg_dump`: its custom format; `portable`: ours. */
  readonly format: "pg_dump" | "portable";
  readonly bytes: number;
}

export const backupHub = (
  config: AppConfig,
  options: OperatorOptions,
  { file: name, isPortable }: { readonly file: string; readonly isPortable: boolean },
): Promise<BackupFile> =>
  withHub(config, options, async ({ admin }) => {
    const file = resolve(config.folder, name);
    // Everything that people pushed is in it.
    const output = { replace: false, mode: 0o600, guard: ANYWHERE, hint: "Name another file" };
    await writeNewFile(file, output, (write) =>
      isPortable ? writePortable(admin, write) : dumpHub(admin, toolsOf(config), write),
    );
    return { file, format: isPortable ? "portable" : "pg_dump", bytes: sizeIfThere(file) ?? 0 };
  });

export const restoreHub = async (
  config: AppConfig,
  options: OperatorOptions,
  name: string,
): Promise<BackupFile & { readonly hub: HubStatus }> => {
  const file = resolve(config.folder, name);
  const format = formatOf(file, name);
  return withHubPlace(config, options, async ({ admin, place }) => {
    await checkRoles(admin, place);
    if (format === "portable") await restorePortable(admin, place, fileBody(file).stream);
    else await restoreDump(admin, place, toolsOf(config), file);
    return { file, format, bytes: sizeIfThere(file) ?? 0, hub: await asOwner(admin, wholeStatus) };
  });
};

const ANYWHERE = { check: () => undefined };

const toolsOf = ({ folder, environment: { vars } }: AppConfig): ToolPlaces => ({ folder, vars });

function formatOf(file: string, name: string): BackupFile["format"] {
  const start = readStart(file, PORTABLE_MAGIC.length);
  if (start === undefined)
    throw new AppError("file-not-found", `${name} does not exist`, "Name the file of a backup");
  if (start === PORTABLE_MAGIC) return "portable";
  if (start.startsWith(DUMP_MAGIC)) return "pg_dump";
  throw new AppError(
    "bundle-unknown",
    `${name} is no backup of a hub`,
    "Name a file that `rethread hub backup` has written",
  );
}
