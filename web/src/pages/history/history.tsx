/** TEMPORARY: replaced by the view itself. */
import { Page } from "../../ui/page.tsx";

export function History() {
  return <Page title="history">{null}</Page>;
}
