/** Typesets untrusted Markdown as elements, never as HTML: nothing in it can become markup of the page. */
import type { Token } from "markdown-it/index.js";
import { createElement, Fragment, memo, type ReactNode, useMemo } from "react";
import { createParser, isSafeLink } from "../../../src/present/html/markdown.ts";
import { clean } from "./clean.ts";
import { CodeBlock } from "./code.tsx";

const parser = createParser();

/** Longer than anybody writes as prose in one piece; shown as it is. */
const LONGEST = 60_000;

export const Markdown = memo(function Markdown({
  text,
  className = "",
}: {
  readonly text: string;
  readonly className?: string;
}) {
  const content = useMemo(() => typeset(text), [text]);
  return <div className={`prose ${className}`}>{content}</div>;
});

function typeset(text: string): ReactNode {
  const safe = clean(text);
  if (safe.length > LONGEST) return <CodeBlock code={safe} />;
  return elements(parser.parse(safe, {}));
}

interface Open {
  readonly token: Token | undefined;
  readonly children: ReactNode[];
}

/** Tokens come as a list in which an opening one is followed, later, by its closing one. */
function elements(tokens: readonly Token[]): ReactNode[] {
  const root: Open = { token: undefined, children: [] };
  const stack: Open[] = [root];
  const add = (node: ReactNode): void => void stack.at(-1)?.children.push(node);
  tokens.forEach((token, key) => {
    if (token.nesting === 1) stack.push({ token, children: [] });
    else if (token.nesting === -1) {
      const closed = stack.length > 1 ? stack.pop() : undefined;
      if (closed?.token) add(container(closed.token, closed.children, key));
    } else add(single(token, key));
  });
  return root.children;
}

const CONTAINERS = new Set("p ul ol li blockquote table thead tbody tr th td strong em s".split(" "));

function container(token: Token, children: ReactNode[], key: number): ReactNode {
  const { tag } = token;
  // In a tight list a paragraph is only there to be found, not to be seen.
  if (token.hidden) return <Fragment key={key}>{children}</Fragment>;
  if (tag === "a") return link(String(token.attrGet("href") ?? ""), children, key);
  // Headings of an answer stay below those of the page.
  if (/^h[1-6]$/.test(tag))
    return createElement(`h${Math.min(6, Number(tag.slice(1)) + 2)}`, { key }, ...children);
  if (!CONTAINERS.has(tag)) return <Fragment key={key}>{children}</Fragment>;
  if (tag === "ol") {
    const start = Number(token.attrGet("start") ?? 1);
    return createElement("ol", { key, ...(start > 1 && start < 1e9 && { start }) }, ...children);
  }
  if (tag === "th" || tag === "td") {
    const align = /text-align:(center|right)/.exec(String(token.attrGet("style") ?? ""))?.[1];
    return createElement(tag, { key, ...(align && { "data-align": align }) }, ...children);
  }
  return createElement(tag, { key }, ...children);
}

function single(token: Token, key: number): ReactNode {
  switch (token.type) {
    case "inline":
      return <Fragment key={key}>{elements(token.children ?? [])}</Fragment>;
    case "text":
    case "text_special":
      return token.content;
    case "code_inline":
      return <code key={key}>{token.content}</code>;
    case "softbreak":
    case "hardbreak":
      return <br key={key} />;
    case "hr":
      return <hr key={key} />;
    case "fence":
    case "code_block":
      return <CodeBlock key={key} code={token.content.replace(/\n$/, "")} language={token.info} />;
    // An image would be fetched from elsewhere: it becomes a link that names it.
    case "image": {
      const source = String(token.attrGet("src") ?? "");
      return link(source, [`[image: ${token.content || source}]`], key);
    }
    default:
      return token.content;
  }
}

/** The address shows on hover, before anybody follows it. */
const link = (address: string, children: ReactNode[], key: number): ReactNode =>
  isSafeLink(address) ? (
    <a key={key} href={address} title={address} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  ) : (
    <Fragment key={key}>{children}</Fragment>
  );
