/** Choose a team and a person, among those that one may see. */
import { Check, User, Users } from "lucide-react";
import { line } from "../lib/titles.ts";
import { Button } from "../ui/button.tsx";
import { Menu } from "../ui/menu.tsx";
import { useAccount } from "./account.ts";
import { usePeople } from "./sharing/use-sharing.ts";

export function TeamMenu({
  team,
  onChoose,
}: {
  readonly team: string | undefined;
  readonly onChoose: (team: string | undefined) => void;
}) {
  const { teams } = useAccount();
  const label = team === undefined ? "All I may see" : line(team);
  return (
    <Menu
      align="start"
      trigger={
        <Button icon={<Users />} aria-label={`Team: ${label}`}>
          {label}
        </Button>
      }
      items={[
        item("All I may see", team === undefined, () => onChoose(undefined)),
        ...teams.map(({ name }) => item(line(name), team === name, () => onChoose(name))),
      ]}
    />
  );
}

export function PersonMenu({
  person,
  team,
  onChoose,
}: {
  readonly person: string | undefined;
  /** Only those who are in it. */
  readonly team: string | undefined;
  readonly onChoose: (person: string | undefined) => void;
}) {
  const { user } = useAccount();
  const { data } = usePeople();
  const all = (data?.teams ?? []).filter((each) => team === undefined || each.team === team);
  const people = [...new Set([user, ...all.flatMap(({ members }) => members)])];
  const label = person === undefined ? "Everyone" : line(person);
  return (
    <Menu
      align="start"
      trigger={
        <Button icon={<User />} aria-label={`Person: ${label}`}>
          {label}
        </Button>
      }
      items={[
        item("Everyone", person === undefined, () => onChoose(undefined)),
        ...people.map((name) =>
          item(name === user ? `${line(name)} (you)` : line(name), person === name, () => onChoose(name)),
        ),
      ]}
    />
  );
}

const item = (label: string, isOn: boolean, run: () => void) => ({
  label,
  icon: isOn ? <Check /> : undefined,
  run,
});
