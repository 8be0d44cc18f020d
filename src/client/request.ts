/** One request to the API: its address, its body, and its answer or error. */
import { toApiError, unreachable } from "./api-error.ts";

export interface Options {
  readonly signal?: AbortSignal;
}

export type Query = Readonly<Record<string, unknown>>;

export interface Requester {
  get<T>(path: string, query?: object, options?: Options): Promise<T>;
  send<T>(method: "POST" | "PUT" | "DELETE", path: string, body?: unknown, options?: Options): Promise<T>;
  /** The answer as it is; errors are thrown. */
  raw(path: string, init: RequestInit): Promise<Response>;
  /** For links and downloads. */
  urlOf(path: string, query?: object): string;
}

export interface ClientOptions {
  /** Scheme, host and port; pages that the server itself serves need none. */
  readonly baseUrl?: string;
  /** Pages have a cookie instead. */
  readonly token?: string;
  readonly fetch?: typeof fetch;
}

export function createRequester({ baseUrl = "", token, fetch: ask = fetch }: ClientOptions): Requester {
  const base = baseUrl.replace(/\/+$/, "");
  const urlOf = (path: string, query: object = {}): string => {
    const text = toQuery(query as Query);
    return `${base}${path}${text === "" ? "" : `?${text}`}`;
  };
  const raw = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    let response: Response;
    try {
      response = await ask(`${base}${path}`, { ...init, headers });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw unreachable(error);
    }
    if (!response.ok) throw await toApiError(response);
    return response;
  };
  const signalOf = ({ signal }: Options = {}): { signal?: AbortSignal } => (signal ? { signal } : {});
  return {
    raw,
    urlOf,
    async get<T>(path: string, query?: object, options?: Options) {
      return (await raw(urlOf(path, query).slice(base.length), signalOf(options))).json() as T;
    },
    async send<T>(method: string, path: string, body?: unknown, options?: Options) {
      const init = {
        method,
        ...signalOf(options),
        ...(body !== undefined && {
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      };
      return (await raw(path, init)).json() as T;
    },
  };
}

/** Lists with commas, flags as 1 and 0; what is not given is left out. */
function toQuery(query: Query): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const text = toText(value);
    if (text !== undefined) params.set(name, text);
  }
  return params.toString();
}

function toText(value: unknown): string | undefined {
  if (typeof value === "boolean") return value ? "1" : "0";
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "bigint") return value.toString();
  return Array.isArray(value) ? value.flatMap((each) => toText(each) ?? []).join(",") : undefined;
}
