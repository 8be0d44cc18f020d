/** The format of VS Code's own *Export Chat…* and *Import Chat…*. */
import type { Interchange } from "../../../interchange.ts";
import { readChat } from "./read.ts";
import { writeChat } from "./write.ts";

/** An export, a document as VS Code stores it, or a log of one. */
const IS_OBJECT = /^\ufeff?\s*\{/;
const IS_LOG = /^\ufeff?\s*\{"kind":0,"v":\{/;
const HAS_FIELDS = /"(responderUsername|initialLocation|requests)"\s*:/;

export const interchange: Interchange = {
  format: "vscode",
  isOne: (beginning) => IS_LOG.test(beginning) || (IS_OBJECT.test(beginning) && HAS_FIELDS.test(beginning)),
  copy: writeChat,
  read: readChat,
};
