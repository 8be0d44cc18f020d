/** Asks an HTTP server on this machine, and takes a short JSON answer. */
import { type RequestOptions, request } from "node:http";
import { request as secureRequest } from "node:https";

export interface Asked {
  readonly method: "GET" | "POST";
  readonly token?: string;
  /** The one certificate that is believed, whatever names it has. */
  readonly certificate?: string;
}

const PATIENCE_MS = 3000;
const MOST_BYTES = 1 << 16;

/** Nothing where nobody answers, or not with JSON. */
export function askServer(url: string, { method, token, certificate }: Asked): Promise<unknown> {
  return new Promise((resolve) => {
    const options: RequestOptions = {
      method,
      timeout: PATIENCE_MS,
      agent: false,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    };
    const asking =
      certificate === undefined
        ? request(url, options)
        : secureRequest(url, { ...options, ca: certificate, checkServerIdentity: () => undefined });
    asking.on("timeout", () => asking.destroy());
    asking.on("error", () => resolve(undefined));
    asking.on("response", (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        text += piece;
        if (text.length > MOST_BYTES) asking.destroy();
      });
      response.on("error", () => resolve(undefined));
      response.on("end", () => resolve(response.statusCode === 200 ? parsed(text) : undefined));
    });
    asking.end();
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
