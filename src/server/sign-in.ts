/** Secrets of the server: one token for programs, codes that open the pages once, and the cookie that a code becomes. */
import { createHmac, hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../model/values/time.ts";

export interface SignIn {
  readonly token: string;
  isToken(text: string): boolean;
  /** Good for one exchange, for a while. */
  newCode(): string;
  /** The value of the cookie; nothing for a code that is unknown, used or too old. */
  exchange(code: string): { readonly setCookie: string } | undefined;
  hasCookie(headers: Headers): boolean;
}

export interface SignInOptions {
  readonly now: Clock;
  /** Signs cookies. Kept between runs, so that open pages stay signed in when the server is started again. */
  readonly key: Uint8Array;
  /** Browsers send cookies to every port of a host, so servers need different names. */
  readonly port: number;
  readonly isSecure: boolean;
  /** For programs; a new one unless it is given. */
  readonly token?: string;
}

/** Long enough to switch to a browser, or to copy an address from a log. */
const CODE_MS = 10 * 60_000;
const MOST_CODES = 50;
const COOKIE_DAYS = 30;

export function createSignIn({ now, key, port, isSecure, token = newSecret() }: SignInOptions): SignIn {
  const codes = new Map<string, number>();
  const cookieName = `rethread-${port}`;
  const sign = (until: string): string =>
    createHmac("sha256", key).update(`${cookieName} ${until}`).digest("base64url");
  return {
    token,
    isToken: (text) => isSame(text, token),
    newCode() {
      for (const oldest of [...codes.keys()].slice(0, Math.max(0, codes.size + 1 - MOST_CODES)))
        codes.delete(oldest);
      const code = newSecret();
      codes.set(hash("sha256", code), now().getTime() + CODE_MS);
      return code;
    },
    exchange(code) {
      const mark = hash("sha256", code);
      const expires = codes.get(mark);
      codes.delete(mark);
      if (expires === undefined || expires <= now().getTime()) return undefined;
      const until = String(now().getTime() + COOKIE_DAYS * 24 * 60 * 60_000);
      const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${COOKIE_DAYS * 24 * 60 * 60}`;
      const value = `${until}.${sign(until)}`;
      return { setCookie: `${cookieName}=${value}; ${attributes}${isSecure ? "; Secure" : ""}` };
    },
    hasCookie: (headers) =>
      cookiesNamed(headers, cookieName).some((value) => {
        const [until = "", signature = ""] = value.split(".");
        return /^\d{1,16}$/.test(until) && isSame(signature, sign(until)) && Number(until) > now().getTime();
      }),
  };
}

const newSecret = (): string => randomBytes(32).toString("base64url");

/** Takes as long for a text that is nearly right as for one that is not. */
const isSame = (a: string, b: string): boolean =>
  timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));

/** Another path of the same host may have set one of the same name; each is looked at. */
export const cookiesNamed = (headers: Headers, name: string): string[] =>
  (headers.get("cookie") ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .flatMap((pair) => (pair.startsWith(`${name}=`) ? [pair.slice(name.length + 1)] : []));
