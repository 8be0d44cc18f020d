/** TEMPORARY: replaced by the view itself. */
import { Page } from "../../ui/page.tsx";

export function Home() {
  return <Page title="home">{null}</Page>;
}
