/** The one place where an address becomes one that the browser runs: the Trusted Types policy `rethread`. */
interface Policy {
  createScriptURL(address: string): string;
}
interface Factory {
  createPolicy(name: string, rules: { createScriptURL: (address: string) => string }): Policy;
}

/** Only what was built with the pages, and only from the same server. */
const ownScript = (address: string): string => {
  const url = new URL(address, location.href);
  if (url.origin !== location.origin) throw new TypeError("A worker must be one of our own");
  return url.href;
};

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const policy = factory?.createPolicy("rethread", { createScriptURL: ownScript });

export const startWorker = (address: string): Worker =>
  new Worker(policy?.createScriptURL(address) ?? ownScript(address), { type: "module" });
