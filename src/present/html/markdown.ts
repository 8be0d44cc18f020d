/** Renders untrusted Markdown as safe HTML. */
import MarkdownIt from "markdown-it";
import { CONTROLS, escapeHtml } from "./escape.ts";

/** A link may lead to a page or a mailbox; never to a script, a file of this machine or data in disguise. */
const SAFE_LINK = /^(https?:|mailto:)/i;
/** Far beyond what anybody reads; parsing a megabyte of nested markup as prose would take seconds. */
const LONGEST = 200_000;

/** What every surface takes as Markdown: no raw HTML, and no link that could do harm. */
export function createParser(): MarkdownIt {
  const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, breaks: true });
  markdown.validateLink = isSafeLink;
  return markdown;
}

export const isSafeLink = (link: string): boolean => SAFE_LINK.test(link.trim());

export function createMarkdown(): (text: string) => string {
  const markdown = createParser();
  markdown.renderer.rules.link_open = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet("rel", "noopener noreferrer nofollow");
    return self.renderToken(tokens, index, options);
  };
  // An image would be fetched from elsewhere when the page is opened: it becomes a link that names it.
  markdown.renderer.rules.image = (tokens, index) => {
    const source = String(tokens[index]?.attrGet("src") ?? "");
    const name = escapeHtml(tokens[index]?.content || source);
    if (!SAFE_LINK.test(source)) return `[${name}]`;
    return `<a href="${escapeHtml(source)}" rel="noopener noreferrer nofollow">[image: ${name}]</a>`;
  };
  // Headings of an answer stay below those of the page.
  for (const rule of ["heading_open", "heading_close"] as const)
    markdown.renderer.rules[rule] = (tokens, index) => {
      const level = Math.min(6, Number(tokens[index]?.tag.slice(1)) + 2);
      return rule === "heading_open" ? `<h${level}>` : `</h${level}>\n`;
    };
  return (text) => {
    const clean = text.replace(CONTROLS, "\u{FFFD}");
    return clean.length > LONGEST ? `<pre>${escapeHtml(clean)}</pre>` : markdown.render(clean);
  };
}
