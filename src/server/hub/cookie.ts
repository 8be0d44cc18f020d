/** The cookie of a browser that is signed in to a hub: a token of its own, which ends within the day. */
import type { ServedNames } from "../access.ts";

export interface HubCookie {
  readonly name: string;
  /** The header that sets it. */
  set(token: string, expiresAt: Date): string;
  /** The header that removes it. */
  readonly clear: string;
}

/** Browsers send cookies to every port of a host, so those of several hubs need different names. */
export function hubCookie({ scheme, publicOrigin }: ServedNames, port: number, now: () => Date): HubCookie {
  const isSecure = (publicOrigin ?? `${scheme}:`).startsWith("https:");
  const name = isSecure ? `__Host-rethread-hub-${port}` : `rethread-hub-${port}`;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  return {
    name,
    set(token, expiresAt) {
      const seconds = Math.max(0, Math.floor((expiresAt.getTime() - now().getTime()) / 1000));
      return `${name}=${token}; ${attributes}; Max-Age=${seconds}`;
    },
    clear: `${name}=; ${attributes}; Max-Age=0`,
  };
}
