/** TEMPORARY: replaced by the view itself. */
import { Page } from "../../ui/page.tsx";

export function Chat() {
  return <Page title="chat">{null}</Page>;
}
