/** A session on a hub: read by those who may see it, and continued by the one whose it is. */
import { Link } from "@tanstack/react-router";
import { FileX2, KeyRound, Link2 } from "lucide-react";
import { Failure } from "../../change/failure.tsx";
import { ApiError } from "../../lib/api.ts";
import { copyText } from "../../lib/clipboard.ts";
import { line } from "../../lib/titles.ts";
import { linkTo } from "../../pages/session/conversation/turn-head.tsx";
import { InspectorDrawer } from "../../pages/session/inspector/drawer.tsx";
import { Facts as FactList } from "../../pages/session/inspector/facts.tsx";
import { Files } from "../../pages/session/inspector/files.tsx";
import css from "../../pages/session/inspector/inspector.module.css";
import { Section } from "../../pages/session/inspector/section.tsx";
import type { SessionParts } from "../../pages/session/parts.ts";
import { useReading } from "../../pages/session/reading.ts";
import { SessionView } from "../../pages/session/session-view.tsx";
import { SharingMark } from "../../pages/sessions/row-marks.tsx";
import { sealedWords, sharingWords } from "../../pages/sessions/sharing-words.ts";
import { buttonClass, IconButton } from "../../ui/button.tsx";
import { Empty } from "../../ui/states.tsx";
import { useAccount } from "../account.ts";
import { blameAddress } from "../blame/address.ts";
import { ShareSession } from "../sharing/share-session.tsx";
import { originText } from "./origin.ts";
import { PullButton } from "./pull-button.tsx";
import own from "./session.module.css";

/** Whether the session is of whoever looks at it. */
function useIsOwn(): boolean {
  return useReading().session.person === useAccount().user;
}

function Actions() {
  const { key, state } = useReading();
  const isOwn = useIsOwn();
  return (
    <>
      <IconButton
        label="Copy a link to this turn"
        keys="y"
        onClick={() => void copyText(linkTo(key, state.current.get()), "Link")}
      >
        <Link2 />
      </IconButton>
      {isOwn && <PullButton />}
      <InspectorDrawer />
    </>
  );
}

function Facts() {
  const { session } = useReading();
  return (
    <>
      {session.person !== undefined && (
        <Link to="/sessions" search={{ person: session.person }} className={own.person}>
          <b>{line(session.person)}</b>
        </Link>
      )}
      <SharingMark session={session} />
    </>
  );
}

function Inspector() {
  const { session } = useReading();
  const isOwn = useIsOwn();
  const { sharing, person, machine } = session;
  return (
    <div className={css.inspector}>
      {sharing !== undefined && (
        <Section title="Who sees it">
          <p className={css.refusal}>
            {sharingWords(sharing)}.{session.isSealed && ` ${sealedWords}.`}
          </p>
          {isOwn && !session.isSealed && <ShareSession />}
        </Section>
      )}
      <Files toBlame={blameAddress} />
      <Section title="Facts">
        <FactList
          first={[
            ["Person", person !== undefined && line(person)],
            ["Machine", typeof machine === "string" && line(machine)],
            ["Comes from", originText(session)],
          ]}
        />
      </Section>
    </div>
  );
}

function NothingSaid() {
  const { session } = useReading();
  if (session.isSealed)
    return (
      <Empty title="This session is sealed" icon={<KeyRound />}>
        The hub keeps it encrypted, and has no key. The machine that has one gets it back with{" "}
        <code>rethread sync --pull</code>.
      </Empty>
    );
  return <Empty title="Nothing was said in this session">It was opened and closed without a prompt.</Empty>;
}

/** The same words for a session that does not exist and for one that is not shared: a link gives nothing away. */
function Missing({ error, retry }: { readonly error: Error; readonly retry: () => void }) {
  if (!(error instanceof ApiError) || error.status !== 404) return <Failure error={error} retry={retry} />;
  return (
    <Empty
      title="Not found, or not shared with you"
      icon={<FileX2 />}
      action={
        <Link to="/sessions" className={buttonClass({})}>
          Show all sessions
        </Link>
      }
    >
      The person whose session it is can share it with a team that you are in.
    </Empty>
  );
}

const nothingRefused = () => undefined;

const PARTS: SessionParts = {
  Actions,
  Facts,
  Above: () => null,
  Inspector,
  Empty: NothingSaid,
  Missing,
  useRefuse: () => nothingRefused,
  useKeys: () => undefined,
};

export const SessionPage = () => <SessionView parts={PARTS} />;
