/** A finger that rests on a row selects it, as a mouse does with the row's box. */
import { type MouseEvent, type PointerEvent, useEffect, useRef } from "react";

const REST_MS = 450;
/** A finger that moves further scrolls. */
const STILL_PX = 8;

interface Resting {
  readonly pointerId: number;
  readonly timer: ReturnType<typeof setTimeout>;
  readonly x: number;
  readonly y: number;
}

/** For the element around the rows; called with what the finger is on. */
export function useLongPress(onPress: (target: Element) => void) {
  const resting = useRef<Resting>(undefined);
  /** A list that is drawn again while the finger rests is the one that selects. */
  const latest = useRef(onPress);
  latest.current = onPress;
  /** The finger that is lifted afterwards must not open the row. */
  const isPressed = useRef(false);
  const stop = (): void => {
    clearTimeout(resting.current?.timer);
    resting.current = undefined;
  };
  useEffect(() => () => clearTimeout(resting.current?.timer), []);
  return {
    onPointerDown({ pointerId, pointerType, isPrimary, clientX: x, clientY: y, target }: PointerEvent): void {
      stop();
      isPressed.current = false;
      if (pointerType === "mouse" || !isPrimary || !(target instanceof Element)) return;
      const press = (): void => {
        resting.current = undefined;
        isPressed.current = true;
        latest.current(target);
      };
      resting.current = { pointerId, timer: setTimeout(press, REST_MS), x, y };
    },
    onPointerMove({ pointerId, clientX, clientY }: PointerEvent): void {
      const from = resting.current;
      // The browser also reports a mouse that nobody moved, when something else comes to lie below it.
      if (from?.pointerId === pointerId && Math.hypot(clientX - from.x, clientY - from.y) > STILL_PX) stop();
    },
    onPointerUp: stop,
    onPointerCancel: stop,
    onContextMenu(event: MouseEvent): void {
      // What the browser offers for a link that is held.
      if (resting.current || isPressed.current) event.preventDefault();
    },
    onClickCapture(event: MouseEvent): void {
      if (!isPressed.current) return;
      isPressed.current = false;
      event.preventDefault();
      event.stopPropagation();
    },
  };
}
