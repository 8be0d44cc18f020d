/** A client for `copilot --headless --stdio`: JSON-RPC 2.0 with Content-Length framing over a child's pipes. */
import { type ChildProcess, spawn } from "node:child_process";

export interface Rpc {
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the real program sends
  call(method: string, params?: object): Promise<any>;
  /** Resolves with the next event of this type in this session; ask before causing it. */
  event(sessionId: string, type: string): Promise<unknown>;
  close(): Promise<void>;
}

interface Message {
  id?: number;
  method?: string;
  params?: { sessionId?: string; event?: { type?: string } };
  result?: unknown;
  error?: { code: number; message: string };
}

interface Pending {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

interface Waiting {
  sessionId: string;
  type: string;
  resolve(event: unknown): void;
}

export async function openRpc(
  program: string,
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<Rpc> {
  const child = spawn(program, ["--headless", "--no-auto-update", "--stdio", "--no-auto-login"], {
    ...options,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const pending = new Map<number, Pending>();
  let waiting: Waiting[] = [];
  let next = 1;

  const send = (message: object): void => {
    const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
    child.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  };
  const receive = (message: Message): void => {
    if (message.method === undefined) {
      const call = message.id === undefined ? undefined : pending.get(message.id);
      if (message.id !== undefined) pending.delete(message.id);
      if (message.error) call?.reject(new Error(message.error.message));
      else call?.resolve(message.result);
    } else if (message.id !== undefined) {
      // The program asks its host for something these tests do not offer.
      send({ id: message.id, error: { code: -32601, message: `no handler for ${message.method}` } });
    } else if (message.method === "session.event") {
      const { sessionId, event } = message.params ?? {};
      const isFor = (one: Waiting): boolean => one.sessionId === sessionId && one.type === event?.type;
      for (const one of waiting.filter(isFor)) one.resolve(event);
      waiting = waiting.filter((one) => !isFor(one));
    }
  };
  readFrames(child, receive);
  void exited.then(() => {
    for (const call of pending.values()) call.reject(new Error("the headless program has ended"));
  });

  const rpc: Rpc = {
    call(method, params = {}) {
      const id = next++;
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject });
        send({ id, method, params });
      });
    },
    event: (sessionId, type) => new Promise((resolve) => waiting.push({ sessionId, type, resolve })),
    async close() {
      const kill = setTimeout(() => child.kill("SIGKILL"), 5_000);
      // It answers by ending, so a rejected call is as good as an answer here.
      await rpc.call("runtime.shutdown").catch(() => undefined);
      child.stdin.end();
      await exited;
      clearTimeout(kill);
    },
  };
  await rpc.call("connect");
  return rpc;
}

function readFrames(child: ChildProcess, receive: (message: Message) => void): void {
  let buffer = Buffer.alloc(0);
  child.stdout?.on("data", (bytes: Buffer) => {
    buffer = Buffer.concat([buffer, bytes]);
    for (;;) {
      const head = buffer.indexOf("\r\n\r\n");
      if (head < 0) return;
      const length = Number(/content-length:\s*(\d+)/i.exec(buffer.toString("latin1", 0, head))?.[1]);
      const end = head + 4 + length;
      if (buffer.length < end) return;
      receive(JSON.parse(buffer.toString("utf8", head + 4, end)));
      buffer = buffer.subarray(end);
    }
  });
}
