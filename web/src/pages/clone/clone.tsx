/** The clone dialog as a page of its own, for a chat of VS Code: `/clone?session=<uuid>&workspace=<id>`. */
import { Link } from "@tanstack/react-router";
import { useId, useMemo } from "react";
import type { ChangeRequest } from "../../change/change.ts";
import { ChangeBody } from "../../change/change-body.tsx";
import { About } from "../../change/change-dialog.tsx";
import { ChangeFooter } from "../../change/change-footer.tsx";
import { Notice } from "../../change/refusal.tsx";
import { type Change, useChange } from "../../change/use-change.ts";
import { cloneRoute } from "../../router.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Empty } from "../../ui/states.tsx";
import css from "./clone.module.css";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function ClonePage() {
  const { session, workspace } = cloneRoute.useSearch();
  if (session === undefined || !UUID.test(session))
    return (
      <Page title="Clone session">
        <Empty
          title={session === undefined ? "Which session?" : "Invalid session ID format"}
          action={
            <Link to="/sessions" search={{ source: "vscode" }} className={buttonClass({})}>
              Choose a session
            </Link>
          }
        >
          The address names a chat of VS Code: <code>/clone?session=&lt;id&gt;&amp;workspace=&lt;id&gt;</code>
        </Empty>
      </Page>
    );
  return <CloneOne key={session} session={session} workspace={workspace} />;
}

function CloneOne({
  session,
  workspace,
}: {
  readonly session: string;
  readonly workspace: string | undefined;
}) {
  const request = useMemo(
    (): ChangeRequest => ({ kind: "clone", sessions: [`vscode:${session}`] }),
    [session],
  );
  const change = useChange(request);
  const apply = useId();
  return (
    <Page title="Clone session" facts={<About change={change} />}>
      <Elsewhere change={change} session={session} workspace={workspace} />
      <div className={css.card}>
        <ChangeBody change={change} apply={apply} />
        <footer>
          <ChangeFooter change={change} apply={apply} />
        </footer>
      </div>
    </Page>
  );
}

/** The address may name another workspace than the one that has the session. */
function Elsewhere({
  change: { facts },
  session,
  workspace,
}: {
  readonly change: Change;
  readonly session: string;
  readonly workspace: string | undefined;
}) {
  const [, here] = /[\\/]([^\\/]+)[\\/]chatSessions[\\/]/.exec(facts?.session.path ?? "") ?? [];
  if (workspace === undefined || here === undefined || here === workspace) return null;
  return (
    <Notice title="The session is in another workspace than the address says">
      <p>
        It belongs to {facts?.session.workspace ?? "another window"}:{" "}
        <Link to="/clone" search={{ session, workspace: here }} replace>
          clone it from there
        </Link>
        .
      </p>
    </Notice>
  );
}
