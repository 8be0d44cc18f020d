/** TEMPORARY: replaced by the view itself. */
import { Page } from "../../ui/page.tsx";

export function SessionPage() {
  return <Page title="session">{null}</Page>;
}
