/** Stands where a session cannot be shown: there is none, or its files are gone; with the step that is left. */
import { Link } from "@tanstack/react-router";
import { FileX2 } from "lucide-react";
import { Failure } from "../../change/failure.tsx";
import { RemedyButton } from "../../change/next-step.tsx";
import { ApiError } from "../../lib/api.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Empty } from "../../ui/states.tsx";

export function Missing({ error, retry }: { readonly error: Error; readonly retry: () => void }) {
  if (!(error instanceof ApiError) || !/^session-(gone|not-found)$/.test(error.code))
    return <Failure error={error} retry={retry} />;
  const { remedy, message, code } = error;
  return (
    <Empty
      title={message}
      icon={<FileX2 />}
      action={
        <>
          {remedy && code === "session-gone" && <RemedyButton remedy={remedy} size="normal" />}
          <Link to="/sessions" className={buttonClass({})}>
            Show all sessions
          </Link>
        </>
      }
    >
      {code === "session-gone"
        ? "Its words are still in the store, where they can be searched and read with SQL."
        : "It may have been deleted, or the address is from another machine."}
    </Empty>
  );
}
