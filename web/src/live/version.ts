/** Whether the server has other pages by now than this one: its parts that were not loaded yet are gone then. */
import { createStore } from "../lib/store.ts";

export const isOutdated = createStore(false);

/**
 * Loads a part of the page. One that is gone because there are new pages never comes: what is shown stays, and a banner
 * offers to load the new ones.
 */
export async function part<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(await look())) throw error;
    return new Promise(() => undefined);
  }
}

/** Vite tells of every part that could not be loaded, also of those that a view can do without. */
export function watchParts(): () => void {
  const onFailure = (): void => void look();
  window.addEventListener("vite:preloadError", onFailure);
  return () => window.removeEventListener("vite:preloadError", onFailure);
}

async function look(): Promise<boolean> {
  if (isOutdated.get()) return true;
  try {
    const answer = await fetch("/", { cache: "no-store" });
    const isNew = answer.ok && isReplaced(await answer.text(), ownScripts());
    if (isNew) isOutdated.set(true);
    return isNew;
  } catch {
    return false; // the server is gone, which another banner says
  }
}

const ownScripts = (): string[] =>
  [...document.querySelectorAll<HTMLScriptElement>("script[type=module][src]")].map(
    (script) => script.getAttribute("src") ?? "",
  );

/** The name of each script has a hash of all that it loads in it. */
export const isReplaced = (page: string, own: readonly string[]): boolean =>
  page.includes('<div id="root">') && own.some((source) => !page.includes(`"${source}"`));
