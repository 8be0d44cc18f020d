/** Holds a view back until its first answers are there, so that nothing on it moves once it is seen. */
import { type Query, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { PATIENCE_MS } from "./states.tsx";

/** What is known already may be looked at while it is asked again. */
const isFirst = ({ state }: Query): boolean => state.data === undefined && state.fetchStatus === "fetching";

/** For the outermost element of a view. After a while the view is shown as far as it is, with what will be there in grey. */
export function useSteady(): { readonly "data-waiting"?: true; readonly "aria-busy"?: true } {
  const client = useQueryClient();
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    let frame = 0;
    const show = (): void => setShown(true);
    const isWaiting = (): boolean => client.isFetching({ predicate: isFirst }) > 0;
    // One answer may lead to the next question, which is asked when the page has taken it in.
    const look = (frames: number): void => {
      cancelAnimationFrame(frame);
      if (isWaiting()) return;
      frame = requestAnimationFrame(() => (frames > 0 ? look(frames - 1) : show()));
    };
    const stop = client.getQueryCache().subscribe(() => look(2));
    const timer = setTimeout(show, PATIENCE_MS);
    if (isWaiting()) look(2);
    else show();
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      stop();
    };
  }, [client]);
  return isShown ? {} : { "data-waiting": true, "aria-busy": true };
}
