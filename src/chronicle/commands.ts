/** What a command line does, apart from how it is started; and which tools run commands at all. */
import { toolKey } from "../model/values/tool-name.ts";

/** However agents call it: commands fail all the time, which is how one learns. */
const SHELLS = new Set(
  "bash shell sh powershell pwsh terminal runinterminal execute executecommand runcommand localshell".split(
    " ",
  ),
);

export const isShell = (tool: string): boolean => SHELLS.has(toolKey(tool));

/** They end with an error where they find nothing, which is an answer. */
const LOOKING =
  /^(?:rg|grep|egrep|ag|ack|find|fd|ls|diff|cmp|test|\[|which|command -v|type|stat|git (?:diff|grep|ls-files|merge-base|rev-parse|check-ignore))(?=\s|$)/;
/** Where it runs and with which variables is not what it does. */
const PREFIX = /^(?:(?:cd|pushd)\s+\S+\s*(?:&&|;)\s*|[A-Z_][A-Z0-9_]*=\S*\s+|sudo\s+|time\s+)+/;

export const bareCommand = (command: string): string => command.trim().replace(PREFIX, "").trim();

export const isLooking = (command: string): boolean => LOOKING.test(bareCommand(command));

/** What only says by which program a task is started. */
const STARTERS =
  /^(?:npm(?: run(?:-script)?)?|pnpm(?: run| exec)?|yarn(?: run)?|bun(?: run)?|npx|bunx|pnpx|deno task|uv run|poetry run|pipenv run|hatch run|python3? -m|py -m|bundle exec|rake|docker(?:-| )compose (?:exec|run)(?: -\S+)*(?: --rm)? \S+|docker exec(?: -\S+)* \S+|make|just|task|mise run|nix develop -c|\.\/mvnw|mvn|\.\/gradlew|gradle)\s+(?:--\s+)?/;

/** The same for one task, however it is started: `npm test` and `pnpm test`, `pytest -q` and `uv run pytest -q`. */
export function taskOf(command: string): string {
  let rest = bareCommand(command);
  for (let shorter = rest.replace(STARTERS, ""); shorter !== rest; shorter = rest.replace(STARTERS, ""))
    rest = shorter;
  return rest.replace(/\s+/g, " ");
}
