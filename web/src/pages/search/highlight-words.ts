/** Marks words in what is shown without changing it, and brings the first one into view. */

const NAME = "search-words";
/** More marks than that help nobody. */
const MOST = 500;

export function markIn(root: HTMLElement, words: readonly string[]): () => void {
  const sought = words.filter((word) => word !== "");
  const ranges = sought.length === 0 ? [] : rangesIn(root, sought);
  const [first] = ranges;
  if (first) {
    const [place, frame] = [first.getBoundingClientRect(), root.getBoundingClientRect()];
    root.scrollTop += place.top - frame.top - frame.height / 3;
  }
  // Older browsers show the turn without marks.
  if (!("highlights" in CSS)) return () => undefined;
  CSS.highlights.set(NAME, new Highlight(...ranges));
  return () => void CSS.highlights.delete(NAME);
}

function rangesIn(root: HTMLElement, words: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode() && ranges.length < MOST) {
    const node = texts.currentNode;
    const text = node.nodeValue?.toLowerCase() ?? "";
    for (const word of words)
      for (
        let at = text.indexOf(word);
        at >= 0 && ranges.length < MOST;
        at = text.indexOf(word, at + word.length)
      ) {
        const range = new Range();
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        ranges.push(range);
      }
  }
  return ranges.sort((a, b) => a.compareBoundaryPoints(Range.START_TO_START, b));
}
