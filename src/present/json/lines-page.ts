/** A session as JSON lines, each with its type and session. */

import type { PageVisitor } from "../page.ts";
import { jsonLine } from "./json.ts";
import { type Home, toProblemJson, toSessionJson, toTurnJson } from "./shapes.ts";

export function jsonlPage(write: (text: string) => void, home: Home): PageVisitor {
  let whose = {};
  const line = (type: string, fields: object): void => write(`${jsonLine({ type, ...whose, ...fields })}\n`);
  return {
    head(session, problems) {
      line("session", { schemaVersion: 1, ...toSessionJson(session, home) });
      whose = { source: session.source, session: session.id };
      for (const problem of problems) line("problem", toProblemJson(problem));
    },
    preamble: (parts) => line("preamble", { parts }),
    turn: (turn) => line("turn", toTurnJson(turn)),
    end: () => undefined,
  };
}
