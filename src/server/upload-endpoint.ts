/** Takes a file from a page, so that `import` can be planned with it. */
import { AppError } from "../model/errors.ts";
import { answerJson, type Endpoint } from "./endpoint.ts";
import { LARGEST_UPLOAD, UPLOAD_ENDINGS } from "./uploads.ts";

export const upload: Endpoint = {
  method: "POST",
  path: "/api/uploads",
  summary: "Send a bundle, transcript or chat, to be imported with `POST /api/plans/import`",
  effect: "writes",
  parameters: [
    {
      name: "ending",
      in: "query",
      isRequired: true,
      schema: (z) => z.enum(UPLOAD_ENDINGS).describe("of the file's name, which says what it is"),
    },
  ],
  body: "application/octet-stream",
  mostBytes: LARGEST_UPLOAD,
  status: 201,
  output: (z) =>
    z.object({
      file: z.string().describe("the `file` of the import; it is kept for an hour"),
      bytes: z.int(),
    }),
  async answer({ query, body }, { uploads }) {
    const ending = UPLOAD_ENDINGS.find((each) => each === query.get("ending"));
    if (ending === undefined)
      throw new AppError("usage", "ending is missing or unknown", `Name one of ${UPLOAD_ENDINGS.join(", ")}`);
    return answerJson(await uploads.keep(body, ending), { status: 201 });
  },
};
