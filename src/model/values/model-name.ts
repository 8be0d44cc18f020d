/** One name for a model, however an agent spells it: `copilot/claude-sonnet-4.5` and `claude-sonnet-4-5-20250929` are one. */

/** Who offers it, not what it is: `copilot/`, `anthropic/`, `us.anthropic.`, `models/`. */
const OFFERED_BY = /^(?:.*\/)?(?:[a-z]{2,6}\.)?(?:anthropic\.)?/;
/** Which release of the same model: a date, a revision of a cloud, the size of its window. */
const RELEASE = /(?:[-@](?:20\d{6}|20\d\d-\d\d-\d\d))?(?:-v\d+(?::\d+)?)?(?:\[\w+\])?$/;

export function modelName(spelled: string): string {
  const name = spelled.trim().toLowerCase().replace(OFFERED_BY, "").replace(RELEASE, "");
  // Anthropic writes the version with a hyphen, others with a dot.
  return (name.startsWith("claude") ? name.replace(/(\d)-(\d)(?!\d)/, "$1.$2") : name) || spelled;
}
