/** Splits a long answer where its paragraphs end, so that a page renders only the pieces that are seen. */

/** About two screens. */
const PIECE = 6_000;
/** A piece without a paragraph's end, such as one huge code block, is cut at a line. */
const LONGEST = 24_000;

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Joined, the pieces are the text, but for blank lines between them and fences that were closed and opened again. */
export function splitMarkdown(text: string): string[] {
  if (text.length <= PIECE * 1.5) return [text];
  const pieces: string[] = [];
  let piece: string[] = [];
  let size = 0;
  let fence: { readonly mark: string; readonly line: string } | undefined;

  const close = (): void => {
    if (piece.length > 0) pieces.push(piece.join("\n"));
    piece = [];
    size = 0;
  };

  for (const whole of text.split("\n"))
    for (const line of shortLines(whole)) {
      const found = FENCE.exec(line);
      const mark = found?.[1] ?? "";
      const isBlank = line.trim() === "";
      if (fence === undefined && isBlank && size >= PIECE) {
        close();
        continue;
      }
      if (size >= LONGEST) {
        if (fence) piece.push(fence.mark);
        close();
        if (fence) piece.push(fence.line);
      }
      piece.push(line);
      size += line.length + 1;
      if (fence === undefined && mark !== "" && !(mark[0] === "`" && found?.[2]?.includes("`")))
        fence = { mark, line };
      else if (fence && mark.startsWith(fence.mark) && found?.[2]?.trim() === "") fence = undefined;
    }
  close();
  return pieces;
}

function shortLines(line: string): string[] {
  if (line.length <= LONGEST) return [line];
  const parts: string[] = [];
  for (let at = 0; at < line.length; at += LONGEST) parts.push(line.slice(at, at + LONGEST));
  return parts;
}
