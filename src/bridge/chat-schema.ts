/** The schema that a conversation's file must match to be continued; each message follows the name of its field. */
import * as z from "zod/mini";

const text = z.string("is not a text");

const message = z.looseObject(
  { role: z.enum(["user", "assistant"], 'is neither "user" nor "assistant"'), text, at: text },
  "is not an object",
);

/** People may edit these files. Members that we do not know stay. */
export const CHAT = z.looseObject(
  {
    id: text,
    source: text,
    workspace: text,
    createdAt: text,
    updatedAt: text,
    cliSession: z.exactOptional(text),
    model: z.exactOptional(text),
    earlier: z.exactOptional(z.array(text, "is not a list")),
    logEnd: z.exactOptional(z.number("is not a number")),
    answering: z.exactOptional(z.looseObject({ pid: z.int("is not a number") }, "is not an object")),
    messages: z.array(message, "is not a list"),
  },
  "is not an object",
);
