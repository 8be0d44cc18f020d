/** Opens a page in a browser. */
import { browserCommand, startDetached } from "../platform/process/browser.ts";
import type { AppConfig } from "./config.ts";

/** False where no browser can be opened. */
export async function openInBrowser(
  { environment, folder }: Pick<AppConfig, "environment" | "folder">,
  path: string,
): Promise<boolean> {
  const words = browserCommand(path, { ...environment, folder });
  return words !== undefined && (await startDetached(words, environment.vars));
}
