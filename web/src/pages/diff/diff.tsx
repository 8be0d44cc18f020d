/** TEMPORARY: replaced by the view itself. */
import { Page } from "../../ui/page.tsx";

export function Diff() {
  return <Page title="diff">{null}</Page>;
}
