/** Text in which the words that matched are marked. */
import { Fragment } from "react";
import { clean } from "../../text/clean.ts";

export function Marked({
  text,
  matches,
}: {
  readonly text: string;
  readonly matches: readonly { readonly start: number; readonly end: number }[];
}) {
  let at = 0;
  const pieces = matches.map(({ start, end }) => {
    const before = text.slice(at, start);
    at = end;
    return { start, before, match: text.slice(start, end) };
  });
  return (
    <>
      {pieces.map(({ start, before, match }) => (
        <Fragment key={start}>
          {clean(before)}
          <mark>{clean(match)}</mark>
        </Fragment>
      ))}
      {clean(text.slice(at))}
    </>
  );
}
