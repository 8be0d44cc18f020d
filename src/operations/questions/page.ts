/** Writes a session as a page for a browser. */

import { defineOperation } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";
import { loadFormat } from "./export.ts";

export const page = defineOperation({
  name: "page",
  kind: "change",
  summary: "Write a session as an HTML page into rethread's own folder, for a browser to open",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      redact: z.boolean().exactOptional().describe("take out secrets, and write home folders as ~"),
    }),
  output: (z) => z.object({ path: z.string().describe("the page") }),
  run: async (app, { session, redact = false }, call) =>
    app.page(session, { format: await loadFormat("html", true, app), redact }, call),
  toJson: (path) => ({ path }),
});
