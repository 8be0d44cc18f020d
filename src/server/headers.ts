/** Headers that every answer has: what a page may load, and who may embed or read it. */

/** Nothing but our own files; no script or style in the page itself; HTML only through the policy `rethread`. */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "worker-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types rethread",
].join("; ");

/** What is downloaded comes out of sessions; should a browser show it after all, it may do nothing. */
export const DOWNLOAD_POLICY = "sandbox; default-src 'none'";

const EVERYWHERE: Readonly<Record<string, string>> = {
  "content-security-policy": CONTENT_SECURITY_POLICY,
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "cache-control": "no-store",
};

/** What the answer says itself stays. */
export function secured(answer: Response): Response {
  for (const [name, value] of Object.entries(EVERYWHERE))
    if (!answer.headers.has(name)) answer.headers.set(name, value);
  return answer;
}
