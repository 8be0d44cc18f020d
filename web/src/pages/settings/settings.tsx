/** TEMPORARY: replaced by the view itself. */
import { Page } from "../../ui/page.tsx";

export function Settings() {
  return <Page title="settings">{null}</Page>;
}
