/** TEMPORARY: replaced by the view itself. */
import { Page } from "../../ui/page.tsx";

export function Search() {
  return <Page title="search">{null}</Page>;
}
