/** The main button: how to continue the session, in its own program or here. */
import { Popover } from "@base-ui/react/popover";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { MessageSquare } from "lucide-react";
import { toShell } from "../../../../../src/model/text/shell-words.ts";
import { adviceOf } from "../../../change/advice.ts";
import { RemedyButton } from "../../../change/next-step.tsx";
import { useKnown } from "../../../change/refusals.ts";
import { api } from "../../../lib/api.ts";
import { sourceOf } from "../../../lib/sources.ts";
import { buttonClass } from "../../../ui/button.tsx";
import { describe } from "../../../ui/states.tsx";
import { useReading } from "../reading.ts";
import { Command, ContinuePopover } from "./continue-popover.tsx";
import css from "./header.module.css";

export const ContinueButton = () => (
  <ContinuePopover label="Continue this session">{(close) => <Ways onDone={close} />}</ContinuePopover>
);

function Ways({ onDone }: { readonly onDone: () => void }) {
  const { key, session } = useReading();
  const { short } = sourceOf(session.source);
  const canChat = useKnown().sources.some(({ source, canChat: can }) => can && source === session.source);
  const { data, error } = useQuery({
    queryKey: ["session", key, "launch"],
    queryFn: ({ signal }) => api.launch(key, { signal }),
  });
  return (
    <>
      <Popover.Title>Continue in {short}</Popover.Title>
      {data && (
        <Command text={commandText(data)}>
          {data.folder === null
            ? "Run this in a terminal; the folder that it was about is gone."
            : "Run this in a terminal."}
        </Command>
      )}
      {!data && !error && <Command text={session.resume ?? ""}>Run this in a terminal.</Command>}
      {error && <Refused error={error} onDone={onDone} />}
      <div className={css.foot}>
        {canChat && session.vanishedAt === null && (
          <Link to="/chat" search={{ session: key }} className={buttonClass({})} onClick={onDone}>
            <MessageSquare />
            Continue in chat
          </Link>
        )}
      </div>
    </>
  );
}

type Launch = Awaited<ReturnType<typeof api.launch>>;

function commandText({ command, variables, folder }: Launch): string {
  const words = [
    ...Object.entries(variables).map(([name, value]) => `${name}=${toShell([value])}`),
    toShell(command),
  ].join(" ");
  return folder === null || command.includes(folder) ? words : `cd ${toShell([folder])} && ${words}`;
}

function Refused({ error, onDone }: { readonly error: Error; readonly onDone: () => void }) {
  const { key } = useReading();
  const { words, remedy } = adviceOf(error);
  return (
    <>
      <p>{describe(error).message}.</p>
      {words !== "" && <p>{words}.</p>}
      {remedy && (
        <div className={css.foot}>
          <RemedyButton remedy={remedy} around={key} size="normal" onTaken={onDone} />
        </div>
      )}
    </>
  );
}
