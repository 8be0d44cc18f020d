/** Which workspaces are there, and by which ids? */
import { WORKSPACE_KINDS } from "../../model/values/workspace-place.ts";
import { toWorkspacesJson } from "../../present/json/answers.ts";
import { defineOperation } from "../operation.ts";
import { sources } from "../schemas/inputs.ts";
import { countFields } from "../schemas/session.ts";

export const workspaces = defineOperation({
  name: "workspaces",
  kind: "question",
  summary: "List the workspaces of sessions, with the ids that `--to` takes",
  input: (z) => z.strictObject({ sources: sources(z).exactOptional() }),
  output: (z) =>
    z.object({
      workspaces: z
        .array(
          z.object({
            id: z
              .string()
              .nullable()
              .describe(
                "VS Code's id of it, for `clone --to` and `move --to`; null for sources whose workspaces are their folders, and for windows without a folder",
              ),
            folder: z
              .string()
              .nullable()
              .describe("its path, or the URI of a place elsewhere; null for windows without a folder"),
            kind: z
              .enum(WORKSPACE_KINDS)
              .describe("`workspace-file`: a .code-workspace file, which lists several folders"),
            source: z.string(),
            editor: z
              .string()
              .nullable()
              .describe(
                "VS Code's product, such as `Code` or `Code - Insiders`, or the path of its User folder",
              ),
            ...countFields(z, "VS Code also has workspaces without any"),
            repository: z
              .string()
              .nullable()
              .describe("of its latest session that has one; folders of several machines may have the same"),
            lastUsedAt: z
              .string()
              .nullable()
              .describe("of the latest session, or when VS Code last wrote to its data of the workspace"),
            exists: z
              .boolean()
              .nullable()
              .describe("the folder is there; null where this machine cannot know"),
          }),
        )
        .describe("the one that was used last comes first"),
    }),
  run: (app, input, call = {}) => app.workspaces(input, call),
  toJson: toWorkspacesJson,
});
