/** How wide a text is in the font of the page. */
const SIZE = "13px";

let context: CanvasRenderingContext2D | null | undefined;

export function measureText(text: string): number {
  if (context === undefined) {
    context = document.createElement("canvas").getContext("2d");
    if (context) context.font = `${SIZE} ${getComputedStyle(document.body).fontFamily}`;
  }
  // Figures are all as wide as the widest of them.
  return context?.measureText(text.replace(/\d/g, "0")).width ?? text.length * 8;
}
