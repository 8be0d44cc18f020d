/** Marks the words that are looked for in what is rendered, without touching it: by the browser's own highlights. */
import { type RefObject, useEffect } from "react";
import { toPatternSource } from "../../../../../src/model/text/escape-regexp.ts";
import { useStore } from "../../../lib/store.ts";
import { useReading } from "../reading.ts";
import "./marks.css";

const MOST_MARKS = 2_000;

export function useFindMarks(scroller: RefObject<HTMLElement | null>): void {
  const { state } = useReading();
  const marked = useStore(state.marked);
  useEffect(() => {
    const root = scroller.current;
    const highlights = typeof CSS === "undefined" ? undefined : CSS.highlights;
    if (!root || marked.text === "" || !highlights) return;
    let isShown = marked.row === undefined;
    const draw = (): void => {
      const all: Range[] = [];
      let current: Range | undefined;
      const pattern = new RegExp(toPatternSource(marked.text), "giu");
      for (const item of root.querySelectorAll<HTMLElement>("[data-row]")) {
        const ranges = rangesIn(item, pattern, MOST_MARKS - all.length);
        all.push(...ranges);
        if (item.dataset.row === marked.row) current = ranges[Math.min(marked.nth ?? 0, ranges.length - 1)];
      }
      highlights.set("found", new Highlight(...all));
      if (current) highlights.set("found-here", new Highlight(current));
      else highlights.delete("found-here");
      if (!isShown && current) {
        isShown = true;
        bringIntoView(root, current);
      }
    };
    let frame = requestAnimationFrame(draw);
    const again = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(draw);
    };
    const observer = new MutationObserver(again);
    observer.observe(root, { childList: true, subtree: true, characterData: true });
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      highlights.delete("found");
      highlights.delete("found-here");
    };
  }, [marked, scroller]);
}

/** A match may run over several texts: coloured code is made of many. */
function rangesIn(element: HTMLElement, pattern: RegExp, most: number): Range[] {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const nodes: { readonly node: Text; readonly start: number }[] = [];
  let text = "";
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    nodes.push({ node: node as Text, start: text.length });
    text += (node as Text).data;
  }
  const ranges: Range[] = [];
  const place = (range: Range, side: "setStart" | "setEnd", at: number): void => {
    const found = nodes.findLast(({ start }) => (side === "setStart" ? start <= at : start < at));
    if (found) range[side](found.node, at - found.start);
  };
  for (const match of text.matchAll(pattern)) {
    if (ranges.length >= most) break;
    const range = document.createRange();
    place(range, "setStart", match.index);
    place(range, "setEnd", match.index + match[0].length);
    ranges.push(range);
  }
  return ranges;
}

function bringIntoView(root: HTMLElement, range: Range): void {
  // Inside a result that scrolls by itself, first there.
  const inner = range.startContainer.parentElement?.closest("pre");
  if (inner && inner.scrollHeight > inner.clientHeight) {
    const below = range.getBoundingClientRect().top - inner.getBoundingClientRect().top;
    if (below < 0 || below > inner.clientHeight - 20) inner.scrollTop += below - inner.clientHeight / 2;
  }
  const box = range.getBoundingClientRect();
  const frame = root.getBoundingClientRect();
  if (box.top < frame.top + 24 || box.bottom > frame.bottom - 48)
    root.scrollTop += box.top - frame.top - frame.height / 3;
}
