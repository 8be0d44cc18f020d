/** TEMPORARY: replaced by the view itself. */
import { Page } from "../../ui/page.tsx";

export function ClonePage() {
  return <Page title="clone">{null}</Page>;
}
