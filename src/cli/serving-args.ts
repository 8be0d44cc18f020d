/** What every command that serves takes and prints. */
import { AppError } from "../model/errors.ts";
import type { Zod } from "../operations/operation.ts";
import type { ArgSpecs, Values } from "./args.ts";

export const SERVING_ARGS = {
  port: { kind: "number", value: "n", help: "listen on this port (default: one that is free)" },
  noOpen: { kind: "flag", help: "print the address, and open no browser" },
  host: {
    kind: "text",
    value: "address",
    help: "listen on this address of the machine; beyond 127.0.0.1 only with --tls-cert and --tls-key",
  },
  tlsCert: { kind: "text", value: "file", help: "serve https with this certificate (PEM)" },
  tlsKey: { kind: "text", value: "file", help: "and its private key (PEM)" },
} as const satisfies ArgSpecs;

/** The two files of TLS, if they are named. */
export function checkServing({
  port = 0,
  tlsCert,
  tlsKey,
}: Pick<Values<typeof SERVING_ARGS>, "port" | "tlsCert" | "tlsKey">):
  | { readonly cert: string; readonly key: string }
  | undefined {
  if (port > 65_535) throw new AppError("usage", `There is no port ${port}`, "Name one from 1 to 65535");
  if ((tlsCert === undefined) !== (tlsKey === undefined))
    throw new AppError("usage", "--tls-cert and --tls-key belong together", "Name both files");
  return tlsCert === undefined || tlsKey === undefined ? undefined : { cert: tlsCert, key: tlsKey };
}

export const servedShape = (z: Zod) =>
  z.object({
    url: z.string().describe("opens the web app, once, within ten minutes"),
    port: z.int(),
    token: z.string().describe("for `Authorization: Bearer`"),
    pid: z.int().describe("the process that serves: another one where a server was running already"),
  });
