/** Inspects a session for a copy; one that VS Code could not open is repaired first, in the copy alone. */
import { AppError } from "../../../../model/errors.ts";
import type { Repair } from "../../../../model/plan-facts.ts";
import type { Artifact } from "../../../../model/session/session.ts";
import type { SessionFs } from "../../../../platform/fs/session-fs.ts";
import { asArray, asString, isObject, type JsonObject } from "../../../log/jsonl.ts";
import type { Survey } from "../../../source.ts";
import { TURNS } from "../../format/record.ts";
import { storeFolderOf } from "../../index-db/stores.ts";
import { rescueFile } from "../rescue/file.ts";
import { type Inspection, inspectSession, inspectTurn } from "./inspect.ts";

interface Inspected {
  readonly inspected: Inspection;
  /** Where the file had to be repaired: what it says then. */
  readonly repaired?: { readonly state: JsonObject; readonly repairs: readonly Repair[] };
}

export async function inspectOrRepair(
  fs: SessionFs,
  artifact: Artifact,
  survey?: Survey,
): Promise<Inspected> {
  try {
    const inspected = await inspectSession(fs, artifact, survey);
    // VS Code sometimes empties a chat, and what was in it is left elsewhere.
    const isWanting = inspected.turns.length === 0 || inspected.isUnsaveable;
    return (isWanting ? await repair(fs, artifact) : undefined) ?? { inspected };
  } catch (error) {
    if (!(error instanceof AppError && error.code === "unreadable")) throw error;
    const repaired = artifact.listed?.state === "ghost" ? undefined : await repair(fs, artifact);
    if (!repaired) throw error;
    return repaired;
  }
}

/** Nothing where nothing can be read of it. */
async function repair(fs: SessionFs, artifact: Artifact): Promise<Required<Inspected> | undefined> {
  const { id, path, listed } = artifact;
  const older = path.replace(/l$/, "");
  const isLog = older !== path;
  const rescued = await rescueFile(fs, {
    id,
    path,
    folder: storeFolderOf(path),
    ...(isLog && (await fs.exists(older)) && { twin: older }),
    ...(listed?.title && { listedTitle: listed.title }),
  });
  if (!("found" in rescued) || !rescued.state) return undefined;
  const { [TURNS]: requests, ...head } = rescued.state;
  const title = asString(head.customTitle) ?? "";
  return {
    inspected: {
      isLog,
      size: (await fs.stat(path)).size,
      isEnded: true,
      head,
      turns: asArray(requests).filter(isObject).map(inspectTurn),
      title,
      isUnsaveable: false,
    },
    repaired: {
      state: rescued.state,
      repairs: rescued.found.map((each) => ({ path, title, ...each })),
    },
  };
}
