/** Serves one client over stdin and stdout, until either of them goes away, or the client itself. */
import { PassThrough } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import type { McpParts } from "./call-tool.ts";
import { createLineReader } from "./lines.ts";
import { createMcpServer } from "./server.ts";

export interface StdioOptions {
  readonly parts: McpParts;
  /** Ends it from our side. */
  readonly signal: AbortSignal;
  /** For the terminal; stdout carries the protocol alone. */
  report(error: Error): void;
}

/** A client that was killed is no longer our parent; somebody else may still hold the other end of the pipe. */
const LOOK_MS = 500;

/** Resolves once the connection is closed; questions that are under way are aborted, since nobody waits any more. */
export function serveClient({ parts, signal, report }: StdioOptions): Promise<void> {
  return new Promise((resolve) => {
    const input = new PassThrough();
    const lines = createLineReader({
      message: (line) => void input.write(line),
      refusal: (line) => void process.stdout.write(line),
    });
    const handle = serveStdio(() => createMcpServer(parts), {
      transport: new StdioServerTransport(input),
      onerror: report,
    });
    const parent = process.ppid;
    const looking = setInterval(() => {
      if (process.ppid !== parent) end();
    }, LOOK_MS).unref();
    const end = (): void => {
      clearInterval(looking);
      parts.catchingUp.close();
      process.stdin.destroy();
      void handle.close().then(resolve, resolve);
    };
    process.stdin.on("data", (piece: Buffer) => lines.take(piece));
    for (const how of ["end", "close", "error"]) process.stdin.once(how, end);
    for (const how of ["close", "error"]) process.stdout.once(how, end);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
}
