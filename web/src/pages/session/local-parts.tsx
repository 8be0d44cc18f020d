/** The session page of this machine's own server: everything can be changed, and continued. */
import { Copy, GitFork, Undo2 } from "lucide-react";
import { openChange } from "../../change/change.ts";
import { useRefusals } from "../../change/refusals.ts";
import { useNarrow } from "../../lib/use-media.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { LiveDot } from "../../ui/marks.tsx";
import { EmptySession } from "./empty-session.tsx";
import { ContinueButton } from "./header/continue-button.tsx";
import css from "./header/header.module.css";
import { MoreMenu } from "./header/more-menu.tsx";
import { Trouble } from "./header/trouble.tsx";
import { InspectorDrawer } from "./inspector/drawer.tsx";
import { Inspector } from "./inspector/inspector.tsx";
import { Lens } from "./lens/lens.tsx";
import { Missing } from "./missing.tsx";
import type { SessionParts } from "./parts.ts";
import { useReading } from "./reading.ts";
import { useChangeKeys } from "./use-change-keys.ts";
import { useIsLive } from "./use-is-live.ts";

function Actions() {
  const { key, session, state, refusalOf } = useReading();
  const { title } = session;
  return (
    <>
      <Button
        className={css.wide}
        icon={<GitFork />}
        refusal={refusalOf("fork")}
        onClick={() =>
          openChange({ kind: "fork", sessions: [key], input: { at: state.current.get() }, title })
        }
      >
        Fork here
      </Button>
      <Button
        className={css.wide}
        icon={<Copy />}
        refusal={refusalOf("clone")}
        onClick={() => openChange({ kind: "clone", sessions: [key], title })}
      >
        Clone…
      </Button>
      <ContinueButton />
      <InspectorDrawer />
      <MoreMenu />
    </>
  );
}

function Facts() {
  const isLive = useIsLive(useReading().key);
  if (!isLive) return null;
  return (
    <span className={css.live}>
      <LiveDot /> writing now
    </span>
  );
}

function Above() {
  const isNarrow = useNarrow();
  return (
    <>
      <Trouble />
      {/* On a narrow screen it would leave no room to read. */}
      {!isNarrow && <Lens />}
    </>
  );
}

function TurnActions({ index }: { readonly index: number }) {
  const { key, session, refusalOf } = useReading();
  return (
    <>
      <IconButton
        label="Fork here"
        keys="f"
        refusal={refusalOf("fork")}
        onClick={() =>
          openChange({ kind: "fork", sessions: [key], input: { at: index }, title: session.title })
        }
      >
        <GitFork />
      </IconButton>
      <IconButton
        label="Rewind to here"
        keys="r"
        refusal={refusalOf("rewind")}
        onClick={() =>
          openChange({ kind: "rewind", sessions: [key], input: { to: index }, title: session.title })
        }
      >
        <Undo2 />
      </IconButton>
    </>
  );
}

export const LOCAL_PARTS: SessionParts = {
  Actions,
  Facts,
  Above,
  Inspector,
  InDrawer: Lens,
  TurnActions,
  Empty: EmptySession,
  Missing,
  useRefuse: useRefusals,
  useKeys: useChangeKeys,
};
