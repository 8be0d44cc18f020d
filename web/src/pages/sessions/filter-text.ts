/** The text of a filter field: what is typed counts at once, and the address follows. */
import { useEffect, useRef, useState } from "react";

export function useFilterText(
  inAddress: string | undefined,
  write: (text: string | undefined) => void,
): readonly [string, (text: string) => void] {
  const [text, setText] = useState(inAddress ?? "");
  const written = useRef(inAddress ?? "");
  useEffect(() => {
    // The back button, or a link; what we wrote ourselves may be behind what is typed by now.
    if ((inAddress ?? "") === written.current) return;
    written.current = inAddress ?? "";
    setText(inAddress ?? "");
  }, [inAddress]);
  const type = (next: string): void => {
    setText(next);
    const kept = next.trim();
    written.current = kept;
    write(kept === "" ? undefined : kept);
  };
  return [text, type];
}
