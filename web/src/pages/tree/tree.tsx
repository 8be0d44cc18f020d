/** TEMPORARY: replaced by the view itself. */
import { Page } from "../../ui/page.tsx";

export function Tree() {
  return <Page title="tree">{null}</Page>;
}
