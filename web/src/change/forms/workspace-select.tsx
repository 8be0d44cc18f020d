/** The workspace of VS Code that a clone goes to; its ids are a contract, so other programs and tests can find it. */
import { useQuery } from "@tanstack/react-query";
import { api, keys } from "../../lib/api.ts";
import { SelectField } from "../../ui/field.tsx";
import css from "./form.module.css";

export function WorkspaceSelect({
  value,
  onValue,
}: {
  readonly value: string;
  readonly onValue: (workspace: string) => void;
}) {
  const { data, isError } = useQuery({
    queryKey: [...keys.workspaces, "copilot"],
    queryFn: ({ signal }) => api.copilotWorkspaces({ signal }),
  });
  const workspaces = data?.workspaces ?? [];
  const isUnknown = value !== "" && !workspaces.some(({ folder }) => folder === value);
  return (
    <div id="workspace-selector">
      {isError || (data && workspaces.length === 0) ? (
        <p className={css.none}>No workspaces found</p>
      ) : (
        <SelectField
          id="target-workspace"
          label="Target Workspace"
          hint="Choose where to save the cloned session"
          value={value}
          onChoose={onValue}
          choices={[
            { value: "", label: "Same as source" },
            ...(isUnknown ? [{ value, label: value }] : []),
            ...workspaces.map(({ folder, path }) => ({ value: folder, label: path })),
          ]}
        />
      )}
    </div>
  );
}
