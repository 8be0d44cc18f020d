/** TEMPORARY: replaced by the view itself. */
import { Page } from "../../ui/page.tsx";

export function Sessions() {
  return <Page title="sessions">{null}</Page>;
}
