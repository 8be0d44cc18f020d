/** Files that are there to hold secrets, by their names: nobody has to have ignored them for that. */
import { segmentsOf } from "./paths.ts";

const FOLDERS = new Set([".git", ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store"]);
const NAMES =
  /^(?:\.env(?:\..+)?|.+\.env|\.envrc|[._]netrc|\.npmrc|\.pypirc|\.pgpass|\.my\.cnf|\.git-credentials|\.htpasswd|\.vault[-_].*|id_(?:rsa|dsa|ecdsa|ed25519).*|credentials(?:\.\w+)?|secrets?\.\w+|.+\.(?:pem|key|p12|pfx|jks|keystore|kdbx?|ppk|gpg|asc|tfstate|tfvars))$/i;
/** What shows others which secrets are needed has none. */
const TEMPLATES = /\.(?:example|sample|template|dist|defaults?|schema)$/i;

export function isSecretFile(path: string): boolean {
  const segments = segmentsOf(path);
  const name = segments.at(-1) ?? "";
  return (
    segments.some((each) => FOLDERS.has(each.toLowerCase())) || (NAMES.test(name) && !TEMPLATES.test(name))
  );
}
