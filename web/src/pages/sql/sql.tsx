/** TEMPORARY: replaced by the view itself. */
import { Page } from "../../ui/page.tsx";

export function Sql() {
  return <Page title="sql">{null}</Page>;
}
