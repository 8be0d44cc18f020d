import { expect, it } from "vitest";
import { toCommand } from "../model/remedy.ts";
import { type ServedAs, serveAgain } from "./serve-again.ts";

const PLAIN: ServedAs = { isDemo: false, isReadOnly: false, hasTls: false };

it.each<[Partial<ServedAs>, string]>([
  [{}, "rethread serve"],
  [{ isDemo: true }, "rethread serve --demo"],
  [{ isReadOnly: true }, "rethread serve --read-only"],
  [{ host: "0.0.0.0", hasTls: true }, "rethread serve --host 0.0.0.0 --tls-cert <file> --tls-key <file>"],
])("finds the server that was started so: %j", (how, command) => {
  expect(toCommand(serveAgain({ ...PLAIN, ...how }))).toBe(command);
});
