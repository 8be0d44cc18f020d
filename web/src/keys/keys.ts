/** Shortcuts: which are there now, by the view that offers them, and what a key pressed means. */
import { useEffect, useRef } from "react";
import { createStore } from "../lib/store.ts";

export interface Shortcut {
  /** `j`, `shift+d`, `mod+k`, or two keys one after the other: `g h`; empty for what only the palette offers. */
  readonly keys: string;
  readonly label: string;
  /** The heading below which `?` lists it. */
  readonly group: string;
  readonly run: () => void;
  /** It cannot be done here, and why; then `run` says so. */
  readonly refusal?: string | undefined;
  /** Also while the cursor is in a text field. */
  readonly inFields?: boolean;
  /** Not offered by the palette: it makes sense only as a key, such as `j`. */
  readonly isKeyOnly?: boolean;
}

export const shortcuts = createStore<readonly Shortcut[]>([]);

/** For as long as the component is shown; what was added last wins. */
export function useShortcuts(offered: readonly Shortcut[]): void {
  const latest = useRef(offered);
  latest.current = offered;
  const shape = offered
    .map(({ keys, label, group, refusal = "" }) => `${keys} ${label} ${group} ${refusal}`)
    .join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: the functions are read when a key is pressed
  useEffect(() => {
    const mine = latest.current.map((shortcut, at) => ({
      ...shortcut,
      run: () => latest.current[at]?.run(),
    }));
    shortcuts.set((before) => [...before, ...mine]);
    return () => shortcuts.set((before) => before.filter((each) => !mine.includes(each)));
  }, [shape]);
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const LABELS: Readonly<Record<string, string>> = {
  enter: "↵",
  escape: "Esc",
  up: "↑",
  down: "↓",
  left: "←",
  right: "→",
};

/** How keys are written on the page. */
export const keyLabel = (keys: string): string[] =>
  keys.split(" ").map((key) => {
    const parts = key.split(/\+(?=.)/);
    const last = parts.pop() ?? "";
    const before = parts.map((part) => (part === "mod" ? (isMac ? "⌘" : "Ctrl ") : "⇧")).join("");
    return before + (LABELS[last] ?? (before === "" ? last : last.toUpperCase()));
  });

const NAMES: Readonly<Record<string, string>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  " ": "space",
};

function nameOf(event: KeyboardEvent): string {
  const key = NAMES[event.key] ?? event.key.toLowerCase();
  const mod = event.metaKey || event.ctrlKey ? "mod+" : "";
  // A shifted sign is itself: `?`, not shift and `/`.
  const shift = event.shiftKey && /^[a-z]$|^.{2,}$/.test(key) ? "shift+" : "";
  return `${mod}${shift}${key}`;
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) &&
  !(target instanceof HTMLInputElement && /^(checkbox|radio|range|button)$/.test(target.type));

const hasDialog = (): boolean =>
  document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"]') !== null;

/** What the focused element does with a key itself: Enter presses a button, arrows move a slider. */
const isItsOwn = (key: string, target: EventTarget | null): boolean =>
  target instanceof Element &&
  ((/^(enter|space)$/.test(key) && target.closest("a, button, summary, [role=button]") !== null) ||
    (/^(up|down|left|right|home|end)$/.test(key) &&
      target.matches("[type=range], [type=radio], [role=slider]")));

/** A second key counts as the rest of the first one for so long. */
const SEQUENCE_MS = 900;
let first: { key: string; at: number } | undefined;

export function listenForKeys(): () => void {
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || event.altKey) return;
    if (/^(Control|Meta|Shift|Alt)$/.test(event.key)) return;
    const key = nameOf(event);
    // Inside a shadow root, `target` is only its host.
    const target = event.composedPath()[0] ?? event.target;
    if (isItsOwn(key, target)) return;
    const isTyping = isField(target) || hasDialog();
    const offered = shortcuts.get().filter((each) => !isTyping || each.inFields);
    const sequence = first && event.timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${key}` : undefined;
    const found =
      offered.findLast((each) => each.keys === sequence) ?? offered.findLast((each) => each.keys === key);
    const isBeginning = !isTyping && offered.some((each) => each.keys.startsWith(`${key} `));
    first = !found && isBeginning ? { key, at: event.timeStamp } : undefined;
    if (!found) return;
    event.preventDefault();
    found.run();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
