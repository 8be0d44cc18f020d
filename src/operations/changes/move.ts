/** Moves sessions to another path. */
import { AppError } from "../../model/errors.ts";
import { toMoveJson } from "../../present/json/plan.ts";
import { defineOperation } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";
import { lockFields, moveFields, plan } from "../schemas/plan.ts";
import { planWith, toKeptPlanJson } from "./planning.ts";

export const move = defineOperation({
  name: "move",
  kind: "change",
  summary: "Move sessions, or all sessions of a folder, to another path, as when the folder was renamed",
  input: (z) =>
    z.strictObject({
      sessions: z
        .array(sessionName(z))
        .exactOptional()
        .describe("one or more sessions, instead of all sessions of a folder"),
      from: z
        .string()
        .exactOptional()
        .describe("instead of naming sessions: all sessions of this folder and the folders below it"),
      to: z
        .string()
        .min(1)
        .exactOptional()
        .describe("the folder's new path; for VS Code also the id of a workspace, or a .code-workspace file"),
      maps: z
        .array(z.object({ from: z.string().min(1), to: z.string().min(1) }))
        .min(1)
        .exactOptional()
        .describe(
          "instead of all these: where folders of another machine are here; each session below `from` moves to the same place below `to`",
        ),
      editor: z
        .string()
        .exactOptional()
        .describe(
          "the editor to move the chats to: stable, insiders, vscodium, or the path of its User folder",
        ),
      text: z
        .boolean()
        .exactOptional()
        .describe("also rewrite the old path in messages, commands and outputs"),
      ...lockFields(z),
    }),
  output: (z) => plan(z).extend(moveFields(z)),
  run(app, { sessions = [], text = false, ignoreLock = false, ...request }, call) {
    const isNamed = sessions.length > 0;
    if (request.maps) {
      if (isNamed || request.from !== undefined || request.to !== undefined)
        throw new AppError(
          "usage",
          "A move by maps says itself which sessions move, and where to",
          "Leave out sessions, from and to",
        );
    } else if (request.to === undefined)
      throw new AppError("usage", "A move needs the folder to move to", "Add it");
    else if (isNamed === (request.from !== undefined))
      throw new AppError(
        "usage",
        "A move is about sessions by name, or about all sessions of a folder",
        isNamed ? "Leave one of them out" : "Name one of them",
      );
    const about = { ...request, text, ...(isNamed && { session: sessions }) };
    return planWith(app, { ignoreLock }, call, (edit) => edit.planMove(about, call));
  },
  toJson: (made, home) => ({ ...toKeptPlanJson(made, home), ...toMoveJson(made) }),
});
