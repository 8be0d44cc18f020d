/** Stands where a session has no conversation, and says why. */
import { openChange } from "../../change/change.ts";
import { Button } from "../../ui/button.tsx";
import { Empty } from "../../ui/states.tsx";
import { useReading } from "./reading.ts";

export function EmptySession() {
  const { key, session, outline, refusalOf } = useReading();
  if (session.vanishedAt !== null)
    return (
      <Empty title="The files of this session are gone">
        Its program, or somebody, removed them, and no copy of the conversation was kept.
      </Empty>
    );
  const canRepair = outline.problems.some(({ remedy }) => remedy?.action === "rescue");
  return (
    <Empty
      title="Nothing was said in this session"
      action={
        canRepair ? (
          <Button
            refusal={refusalOf("rescue")}
            onClick={() => openChange({ kind: "rescue", sessions: [key], title: session.title })}
          >
            Repair…
          </Button>
        ) : (
          <Button
            refusal={refusalOf("delete")}
            onClick={() => openChange({ kind: "delete", sessions: [key], title: session.title })}
          >
            Delete…
          </Button>
        )
      }
    >
      {canRepair
        ? "Its log holds no turn that can be read; a repair may bring some back."
        : "It was opened and closed without a prompt."}
    </Empty>
  );
}
