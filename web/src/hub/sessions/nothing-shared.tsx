/** Said where there is nothing to see yet: how one's own sessions come here, and how those of others do. */
import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../ui/button.tsx";
import { Empty } from "../../ui/states.tsx";
import { useAccount } from "../account.ts";
import css from "./nothing-shared.module.css";

export function NothingShared() {
  const { teams } = useAccount();
  return (
    <Empty
      title="Nobody has shared anything yet"
      action={
        <Link to="/people" className={buttonClass({})}>
          {teams.length === 0 ? "Who is here" : "Who is in your teams"}
        </Link>
      }
    >
      <p>What people push is private until they share it. To put your own sessions here:</p>
      <ol className={css.steps}>
        <li>
          <code>rethread hub login {location.origin}</code> tells your machine about this hub.
        </li>
        <li>
          <code>rethread sync</code> shows what would be sent, without secrets, and pushes it.
        </li>
        <li>
          <Link to="/sharing">Share</Link> a repository or a session with a team, if you like.
        </li>
      </ol>
    </Empty>
  );
}
