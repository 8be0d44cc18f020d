/** TEMPORARY: replaced by the view itself. */
import { Page } from "../../ui/page.tsx";

export function Doctor() {
  return <Page title="doctor">{null}</Page>;
}
