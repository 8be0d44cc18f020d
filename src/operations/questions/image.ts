/** What does a picture of a session look like? */
import { defineOperation } from "../operation.ts";
import { sessionName } from "../schemas/inputs.ts";

export const image = defineOperation({
  name: "image",
  kind: "question",
  summary: "Read one image of a session: an attachment, or what a tool gave back",
  input: (z) =>
    z.strictObject({
      session: sessionName(z),
      image: z.string().min(1).describe("the `id` of an image, as `turns` has it"),
    }),
  output: (z) =>
    z.object({
      type: z
        .enum(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"])
        .describe("by its bytes, whatever its program called it; nothing else is given out"),
      width: z.int(),
      height: z.int(),
      bytes: z.int(),
      data: z.string().describe("base64"),
    }),
  run: (app, input, call = {}) => app.image(input.session, input.image, call),
  toJson: ({ type, width, height, content }) => ({
    type,
    width,
    height,
    bytes: content.length,
    data: Buffer.from(content).toString("base64"),
  }),
});
