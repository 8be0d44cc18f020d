/** Serves the web app, and lets a browser in that comes with a one-time code. */
import { AppError } from "../model/errors.ts";
import { type Remedy, toCommand } from "../model/remedy.ts";
import { unpack } from "../platform/http/site-files.ts";
import type { Limits } from "./limits.ts";
import { plainPage } from "./plain-page.ts";
import type { SignIn } from "./sign-in.ts";
import type { SiteFile } from "./static-files.ts";

export interface Site {
  answer(request: Request): Response;
  /** Looks for pages that were built since. */
  refresh(): void;
}

/** `read` gives the files of the app as they are; `again` is how somebody gets another address with a code. */
export function createSite(
  read: () => ReadonlyMap<string, SiteFile>,
  signIn: Pick<SignIn, "exchange" | "hasCookie">,
  limits: Pick<Limits, "wrongSecret">,
  again: Remedy,
): Site {
  let files = read();
  const signInWith = (code: string, url: URL, request: Request): Response => {
    // A preview of the link must not use it up.
    if (request.method !== "GET") return new Response(null, { status: 204 });
    const entered = signIn.exchange(code);
    if (!entered && !signIn.hasCookie(request.headers)) {
      limits.wrongSecret();
      return usedAddress(
        "For a new one, run this command. It finds the server that is running.",
        toCommand(again),
      );
    }
    return withoutCode(url, entered?.setCookie);
  };
  return {
    refresh() {
      files = read();
    },
    answer(request) {
      const url = new URL(request.url);
      const code = url.searchParams.get("code");
      if (code !== null) return signInWith(code, url, request);
      const file = files.get(url.pathname) ?? (isPage(url.pathname) ? files.get("/index.html") : undefined);
      if (file) return send(file, request);
      if (isPage(url.pathname))
        return plainPage({
          title: "Rethread is running",
          sentences: ["The pages are not built here. The API is described at /api/openapi.json."],
        });
      throw new AppError("route-not-found", "There is no such file", "Load the page again");
    },
  };
}

/** The same page, now that the code has done its work. */
export function withoutCode(url: URL, setCookie?: string): Response {
  url.searchParams.delete("code");
  return new Response(null, {
    status: 303,
    headers: {
      location: url.pathname + url.search,
      ...(setCookie !== undefined && { "set-cookie": setCookie }),
    },
  });
}

/** `next` says how to get another one. */
export const usedAddress = (next: string, command?: string): Response =>
  plainPage({
    title: "This address has been used",
    sentences: ["An address with a code opens Rethread once, within ten minutes.", next],
    ...(command !== undefined && { command }),
    status: 401,
  });

/** Every address of the app is the same page; files are something else. */
const isPage = (path: string): boolean => !path.startsWith("/assets/") && !/\.\w{2,5}$/.test(path);

function send({ bytes, isPacked, type, isForever, tag }: SiteFile, request: Request): Response {
  const staysPacked = isPacked && takesPacked(request.headers);
  const etag = `"${tag}${isPacked && !staysPacked ? "-unpacked" : ""}"`;
  const headers = {
    "content-type": type,
    etag,
    "cache-control": isForever ? "public, max-age=31536000, immutable" : "no-cache",
    ...(isPacked && { vary: "accept-encoding" }),
  };
  if (request.headers.get("if-none-match") === etag) return new Response(null, { status: 304, headers });
  const body = isPacked && !staysPacked ? unpack(bytes) : bytes;
  return new Response(request.method === "GET" ? body : null, {
    headers: {
      ...headers,
      ...(staysPacked && { "content-encoding": "gzip" }),
      "content-length": String(body.length),
    },
  });
}

/** Every browser does. */
const takesPacked = (headers: Headers): boolean =>
  (headers.get("accept-encoding") ?? "")
    .split(",")
    .some((each) => /^(gzip|\*)(;q=(1|0\.0*[1-9]\d*))?$/i.test(each.replaceAll(" ", "")));
