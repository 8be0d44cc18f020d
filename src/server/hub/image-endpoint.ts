/** Pictures out of the sessions of a hub, for those who may see them. */

import type { Zod } from "../../operations/operation.ts";
import { readInput } from "../../operations/outside-input.ts";
import { answerImage, imageAddress, imageParameter } from "../image-endpoint.ts";
import type { HubEndpoint } from "./endpoint.ts";
import type { createAsking } from "./question-endpoints.ts";

const input = (z: Zod) =>
  z.strictObject({ session: z.string().min(1).max(2048), image: z.string().min(1).max(4096) });

export function hubImageEndpoint(z: Zod, asking: ReturnType<typeof createAsking>): HubEndpoint {
  return {
    ...imageAddress,
    summary: "Read one image of a session: an attachment, or what a tool gave back",
    needs: "read",
    parameters: [
      {
        name: "session",
        in: "path",
        isRequired: true,
        schema: (zz) => zz.string().describe("the hub's id: `source:id@machine`"),
      },
      imageParameter,
    ],
    async answer({ params, method, caller }, parts) {
      const { session, image } = readInput(
        input(z),
        { name: "image" },
        { session: params.session, image: params.image },
      );
      return answerImage(await asking(parts)(caller.who).image({ session }, image), method);
    },
  };
}
