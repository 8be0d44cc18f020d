/** Serves one client over stdin and stdout, until either of them goes away. */
import { PassThrough } from "node:stream";
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { McpParts } from "./call-tool.ts";
import { createMcpServer } from "./server.ts";

export interface StdioOptions {
  readonly parts: McpParts;
  /** Ends it from our side. */
  readonly signal: AbortSignal;
  /** For the terminal; stdout carries the protocol alone. */
  report(error: Error): void;
}

/**
 * So long answers that are under way may take once the client sends nothing more: requests that come from a file or a
 * pipe end before their answers. A client that was killed is no longer our parent, and nobody waits then.
 */
const GRACE_MS = 60_000;
const LOOK_MS = 200;

/** Resolves once the connection is closed; work that is still under way for it is aborted. */
export function serveClient({ parts, signal, report }: StdioOptions): Promise<void> {
  return new Promise((resolve) => {
    // The SDK's transport closes with its input, so it gets one that ends when all is answered.
    const input = new PassThrough();
    const waiting = createWaiting(new StdioServerTransport(input));
    const handle = serveStdio(() => createMcpServer(parts), {
      transport: waiting.transport,
      onerror: report,
    });
    const parent = process.ppid;
    let looking: NodeJS.Timeout | undefined;
    const end = (): void => {
      clearInterval(looking);
      parts.catchingUp.close();
      process.stdin.destroy();
      void handle.close().then(resolve, resolve);
    };
    process.stdin.pipe(input, { end: false });
    process.stdin.once("end", () => {
      const until = performance.now() + GRACE_MS;
      looking = setInterval(() => {
        if (process.ppid !== parent || performance.now() > until) end();
      }, LOOK_MS);
      waiting.whenAnswered(end);
    });
    process.stdout.once("close", end);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
}

interface Waiting {
  readonly transport: Transport;
  /** Calls back as soon as no request waits for its answer. */
  whenAnswered(call: () => void): void;
}

function createWaiting(inner: StdioServerTransport): Waiting {
  const open = new Set<string | number>();
  let whenDone: (() => void) | undefined;
  const settle = (id: string | number | undefined): void => {
    if (id !== undefined) open.delete(id);
    if (open.size === 0) whenDone?.();
  };
  const transport: Transport = {
    async start() {
      inner.onmessage = (message) => {
        if (isJSONRPCRequest(message)) open.add(message.id);
        if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
          settle(message.params?.requestId as string | number | undefined);
        transport.onmessage?.(message);
      };
      inner.onerror = (error) => transport.onerror?.(error);
      inner.onclose = () => transport.onclose?.();
      await inner.start();
    },
    async send(message: JSONRPCMessage) {
      await inner.send(message);
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) settle(message.id);
    },
    close: () => inner.close(),
  };
  return {
    transport,
    whenAnswered(call) {
      // What was read last is still on its way through the pipe.
      setImmediate(() => {
        whenDone = call;
        settle(undefined);
      });
    },
  };
}
