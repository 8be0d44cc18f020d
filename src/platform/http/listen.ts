/** Listens for HTTP requests, with limits on how long one may take to arrive and how large its headers may be. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { AppError } from "../../model/errors.ts";
import { isErrno } from "../fs/session-fs.ts";

/** What a request is before anybody makes a URL of it. */
export interface RawRequest {
  /** The target as it stands in the first line: nothing decoded, no dots resolved. */
  readonly target: string;
  /** The address at the other end of the connection. */
  readonly remote: string;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 takes one that is free. */
  readonly port: number;
  readonly tls?: { readonly cert: Uint8Array; readonly key: Uint8Array };
  readonly timeouts?: Timeouts;
  fetch(request: Request, raw: RawRequest): Response | Promise<Response>;
}

export interface Listening {
  readonly port: number;
  /** Takes no more requests, and waits for those under way; what is left after a while is cut off. */
  close(withinMs: number): Promise<void>;
}

/** So long headers may take to arrive, and a whole request; and how often that is looked at. */
export interface Timeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  readonly checkMs: number;
}

/** A body of the largest size takes less than this on any network that one would serve on. */
const TIMEOUTS: Timeouts = { headersMs: 10_000, requestMs: 60_000, checkMs: 1000 };
const IDLE_MS = 65_000;
const HEADER_BYTES = 16 << 10;
/** How often a server that stops looks for connections that are no longer needed. */
const LOOK_MS = 20;

export async function listen(options: ListenOptions): Promise<Listening> {
  const answer = getRequestListener(
    (request, env) => {
      const { url = "", socket } = (env as HttpBindings).incoming;
      return options.fetch(request, { target: url, remote: socket.remoteAddress ?? "" });
    },
    // The classes of the whole process are not ours to replace.
    { overrideGlobalObjects: false },
  );
  const { headersMs, requestMs, checkMs } = options.timeouts ?? TIMEOUTS;
  const limits = {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    keepAliveTimeout: IDLE_MS,
    connectionsCheckingInterval: checkMs,
    maxHeaderSize: HEADER_BYTES,
  };
  const handle = (request: IncomingMessage, response: Parameters<typeof answer>[1]): void => {
    void answer(request, response);
  };
  const server = options.tls
    ? createSecureServer(
        { ...limits, cert: Buffer.from(options.tls.cert), key: Buffer.from(options.tls.key) },
        handle,
      )
    : createServer(limits, handle);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(explain(error, options)));
    server.listen(options.port, options.host, () => resolve());
  });
  return { port: (server.address() as AddressInfo).port, close: (withinMs) => close(server, withinMs) };
}

function close(server: Server, withinMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => server.closeAllConnections(), withinMs);
    // A connection on which the last answer has just been given would be kept for the next request.
    const idle = setInterval(() => server.closeIdleConnections(), LOOK_MS);
    server.close(() => {
      clearTimeout(timer);
      clearInterval(idle);
      resolve();
    });
  });
}

function explain(error: unknown, { host, port }: ListenOptions): unknown {
  if (isErrno(error, "EADDRINUSE"))
    return new AppError(
      "port-taken",
      `Another program listens on port ${port}`,
      "Name another port, or leave out --port",
      error,
    );
  if (isErrno(error, "EADDRNOTAVAIL", "ENOTFOUND", "EAI_AGAIN"))
    return new AppError(
      "usage",
      `This machine has no address ${host}`,
      "Name one of its own addresses",
      error,
    );
  if (isErrno(error, "EACCES"))
    return new AppError("permission-denied", `Port ${port} may not be used`, "Name a port above 1023", error);
  return error;
}
