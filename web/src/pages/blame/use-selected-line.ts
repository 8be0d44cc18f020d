/** The line that is selected: in the address, and here at once, since keys may be pressed faster than addresses change. */
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";

export interface SelectedLine {
  readonly line: number | undefined;
  /** What is selected by now, for keys. */
  latest(): number | undefined;
  select(line: number | undefined): void;
}

export function useSelectedLine(inAddress: number | undefined): SelectedLine {
  const navigate = useNavigate();
  const [line, setLine] = useState(inAddress);
  const latest = useRef(inAddress);
  /** Lines that the address does not have yet. */
  const asked = useRef<(number | undefined)[]>([]);
  useEffect(() => {
    const at = asked.current.indexOf(inAddress);
    asked.current.splice(0, at + 1);
    if (at >= 0) return;
    latest.current = inAddress;
    setLine(inAddress);
  }, [inAddress]);
  return {
    line,
    latest: () => latest.current,
    select(next) {
      if (next === latest.current) return;
      latest.current = next;
      asked.current.push(next);
      setLine(next);
      void navigate({
        to: "/blame",
        search: ({ line: _, ...before }) => (next === undefined ? before : { ...before, line: next }),
        replace: true,
      });
    },
  };
}
