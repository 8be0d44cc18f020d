/**
 * Converts events to lines: drops what is not kept, reduces bulky output, fills in the envelope, and links the chain.
 */
import { AppError } from "../../../model/errors.ts";
import { isEphemeralType } from "../log/event-types.ts";
import { envelopeFault, whyRefused } from "../log/validate.ts";
import { withoutBulk } from "./bulk.ts";
import type { CopilotEvent, NewEvent } from "./event.ts";

export interface LineMaker {
  /** With its line feed; nothing for an event that is not kept. Throws for one that Copilot CLI would refuse. */
  next(event: NewEvent): string | undefined;
}

export interface LineMakerOptions {
  /** The id of the last line that is there. */
  readonly lastId: string | null;
  readonly now: () => Date;
  readonly newId: () => string;
}

export function createLineMaker({ lastId, now, newId }: LineMakerOptions): LineMaker {
  let parentId = lastId;
  return {
    next(event) {
      if (!isKept(event)) return undefined;
      const { type, data, id, timestamp, parentId: _, ...more } = event;
      const line: CopilotEvent = {
        type,
        data: withoutBulk(type, data),
        ...more,
        id: id ?? newId(),
        timestamp: timestamp ?? now().toISOString(),
        parentId,
      };
      const text = toText(type, line);
      // What was given may turn into something else as JSON (a date, a missing field), so that is what is judged.
      const meant = JSON.parse(text);
      const why = envelopeFault(meant) ?? whyRefused(meant);
      if (why !== undefined) throw refused(type, why);
      parentId = line.id;
      return `${text}\n`;
    },
  };
}

export const isKept = ({ type, ephemeral }: Pick<NewEvent, "type" | "ephemeral">): boolean =>
  ephemeral !== true && !isEphemeralType(type);

/** A value that refers to itself, a bigint, or one that is nested too deeply, is no JSON. */
function toText(type: string, line: CopilotEvent): string {
  try {
    return JSON.stringify(line);
  } catch (error) {
    throw refused(type, `it cannot be written as JSON (${(error as Error).message})`);
  }
}

/** One such line, and the program refuses the whole session. */
const refused = (type: string, why: string): AppError =>
  new AppError(
    "usage",
    `Copilot CLI would refuse a session with this ${type}: ${why}`,
    "Complete the event and write it again; no part of it was written",
  );
