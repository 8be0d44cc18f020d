/** How is a session's own program started on it? */
import { defineOperation } from "../operation.ts";
import { named } from "../schemas/inputs.ts";

export const launch = defineOperation({
  name: "launch",
  kind: "question",
  summary: "Return the command that continues a session in its own program, and its folder",
  input: named,
  output: (z) =>
    z.object({
      session: z.object({ source: z.string(), id: z.string(), title: z.string() }),
      command: z.array(z.string()).describe("the program and its arguments"),
      variables: z
        .record(z.string(), z.string())
        .describe("what its environment must have, when its sessions are not in their usual place"),
      folder: z.string().nullable().describe("the folder to start it in, or null when that is gone"),
    }),
  run: (app, { session }, call) => app.launch(session, call),
  toJson: ({ session: { source, id, title }, words, vars, folder }) => ({
    session: { source, id, title },
    command: words,
    variables: vars,
    folder: folder ?? null,
  }),
});
