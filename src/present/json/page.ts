/** A session as one JSON document, written as it is read: the longest do not fit in memory as one object. */
import type { Problem } from "../../model/problem.ts";
import type { Part } from "../../model/session/turns.ts";
import type { PageVisitor } from "../page.ts";
import { createJsonWriter } from "./json.ts";
import { type Home, toProblemJson, toTurnJson, toWholeSessionJson } from "./shapes.ts";

export function jsonPage(write: (text: string) => void, home: Home): PageVisitor {
  const writer = createJsonWriter();
  let found: readonly Problem[] = [];
  let hasPreamble = false;
  let hasTurns = false;
  const openTurns = (): void => {
    if (!hasPreamble) preamble([]);
    if (!hasTurns) write(writer.openList("turns"));
    hasTurns = true;
  };
  const list = (name: string, items: readonly unknown[]): void =>
    write(writer.openList(name) + items.map((item) => writer.item(item)).join("") + writer.closeList());
  const preamble = (parts: readonly Part[]): void => {
    list("preamble", parts);
    hasPreamble = true;
  };
  return {
    head(session, problems) {
      found = problems;
      write(writer.field("schemaVersion", 1) + writer.field("session", toWholeSessionJson(session, home)));
    },
    preamble,
    turn(turn) {
      openTurns();
      write(writer.item(toTurnJson(turn)));
    },
    end() {
      openTurns();
      write(writer.closeList());
      list("problems", found.map(toProblemJson));
      write(writer.end());
    },
  };
}
