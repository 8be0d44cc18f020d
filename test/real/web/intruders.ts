/** What hostile text would leave on a page if it were more than text. */
import type { Page } from "./browser.ts";

// biome-ignore lint/suspicious/noExplicitAny: objects of the browser, which have no types here
type Untyped = any;

/** What a page holds that none of ours would put there. */
export const findIntruders = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { document, location } = globalThis as unknown as {
      document: Untyped;
      location: { origin: string };
    };
    const found: string[] = [];
    if ("__owned" in globalThis) found.push("a payload ran");
    for (const element of document.querySelectorAll("*") as Iterable<Untyped>) {
      const tag = String(element.localName);
      if (/^(iframe|frame|object|embed|base|marquee|math|style|link|meta|audio|video)$/.test(tag)) {
        const isOurs = document.head.contains(element) && !/refresh/i.test(element.httpEquiv ?? "");
        if (!isOurs) found.push(`<${tag}>`);
      }
      if (tag === "script" && !String(element.src).startsWith(`${location.origin}/`)) found.push("<script>");
      for (const { name, value } of element.attributes as Iterable<{ name: string; value: string }>) {
        if (name.startsWith("on")) found.push(`${tag} ${name}`);
        if (/^(href|src|action|formaction|xlink:href)$/.test(name)) {
          const address = String(value).trim();
          if (!/^(https?:|mailto:|blob:|#|\/(?!\/)|\?)/i.test(address))
            found.push(`${tag} ${name}=${address}`);
          if (name !== "href" && /away\.invalid/.test(address)) found.push(`${tag} ${name}=${address}`);
        }
      }
    }
    if (document.body.getBoundingClientRect().height === 0) found.push("the page is hidden");
    return found;
  });
