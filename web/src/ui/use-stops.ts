/** `j` and `k` go from one marked thing of a page to the next. */
import { type RefObject, useRef } from "react";
import { useShortcuts } from "../keys/keys.ts";

/** For the element around them; each is marked with `data-stop`. */
export function useStops(group: string): RefObject<HTMLDivElement | null> {
  const view = useRef<HTMLDivElement>(null);
  const move = (by: number) => (): void => {
    const stops = [...(view.current?.querySelectorAll<HTMLElement>("[data-stop]") ?? [])];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    stops[at < 0 ? 0 : Math.min(stops.length - 1, Math.max(0, at + by))]?.focus();
  };
  useShortcuts([
    { keys: "j", label: "Next entry", group, isKeyOnly: true, run: move(1) },
    { keys: "k", label: "Previous entry", group, isKeyOnly: true, run: move(-1) },
  ]);
  return view;
}
