/** Makes proposals for a board from what sessions say. Pure: the same sessions and board make the same proposals. */
import { hash } from "node:crypto";
import { describeContent, findBoardFaults } from "../../model/board/faults.ts";
import {
  type BoardEvidence,
  type BoardItem,
  type BoardPlace,
  type BoardText,
  EVERY_BRANCH,
  isOwn,
  isSameRepository,
} from "../../model/board/item.ts";
import { toItemName } from "../../model/board/name.ts";
import type { BoardWork } from "../../store/board-work.ts";
import { commandsIn, conventionsIn, decisionsIn, type Fact, filesIn } from "./facts.ts";
import { normalized } from "./statements.ts";

export const PROPOSAL_KINDS = ["convention", "decisions", "commands", "files"] as const;
export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

export interface Proposal extends BoardPlace, BoardText {
  /** By which it is chosen; the same as long as nothing of it changes. */
  readonly id: string;
  readonly kind: ProposalKind;
  /** `update` adds to an item of ours that is there. */
  readonly change: "add" | "update";
  readonly evidence: readonly BoardEvidence[];
  /** Hashes of the statements in it. */
  readonly facts: readonly string[];
}

/** What the board knows: neither what is on it nor what was taken off it is proposed. */
export interface Known {
  readonly items: readonly BoardItem[];
  readonly facts: ReadonlySet<string>;
}

/** How much of the evidence is kept. */
const MOST = { evidence: 12, perFact: 2 } as const;

export function propose(repository: string, work: BoardWork, known: Known): Proposal[] {
  const onBoard = known.items.filter((item) => isSameRepository(item.repository, repository));
  const texts = onBoard.map(({ name, content }) => ` ${normalized(`${name} ${content}`)} `);
  const isNew = ({ id, line, means }: Fact): boolean =>
    !known.facts.has(id) && !texts.some((text) => text.includes(` ${normalized(means)} `)) && isClean(line);
  const proposals: Proposal[] = [];
  const add = (kind: ProposalKind, branch: string, title: string, heading: string, all: readonly Fact[]) => {
    const facts = all.filter(isNew);
    const place = { repository, branch };
    const before =
      heading === ""
        ? undefined
        : onBoard.find((item) => isOwn(item) && isAt(item, { branch, name: toItemName(title) }));
    const name = before?.name ?? freeName(title, branch, [...onBoard, ...proposals]);
    const made = facts.length > 0 && toProposal({ ...place, kind, name, heading, facts }, before);
    if (made) proposals.push(made);
  };
  for (const fact of conventionsIn(work)) add("convention", EVERY_BRANCH, fact.line, "", [fact]);
  for (const { title, branch, facts } of decisionsIn(work))
    add("decisions", branch, `decisions ${title}`, `Decisions: ${title}`, facts);
  add(
    "commands",
    EVERY_BRANCH,
    "commands that work",
    "Commands that succeeded in several sessions",
    commandsIn(work),
  );
  add("files", EVERY_BRANCH, "files often changed", "Files that several sessions changed", filesIn(work));
  return proposals;
}

type Named = Pick<BoardItem, "branch" | "name">;
const isAt = (a: Named, b: Named): boolean => a.name === b.name && a.branch === b.branch;

/** Two statements may begin with the same words. */
function freeName(title: string, branch: string, taken: readonly Named[]): string {
  const name = toItemName(title);
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name}-${number}`;
    if (!taken.some((item) => isAt(item, { branch, name: free }))) return free;
  }
}

interface Material extends BoardPlace {
  readonly kind: ProposalKind;
  readonly name: string;
  /** Empty where the statement says it all. */
  readonly heading: string;
  readonly facts: readonly Fact[];
}

/** Nothing for what the board would refuse. */
function toProposal(material: Material, before: BoardItem | undefined): Proposal | undefined {
  const { repository, branch, kind, name, heading, facts } = material;
  const lines = facts.map(({ line }) => (heading === "" ? line : `- ${line}`));
  const content = [...(before ? [before.content] : []), ...lines].join("\n");
  const description = before?.description ?? describeContent(heading || content);
  const text = { repository, branch, name, description, content };
  if (findBoardFaults(text).length > 0) return undefined;
  return {
    ...text,
    id: hashOf([repository, branch, name, content].join("\n")).slice(0, 8),
    kind,
    change: before ? "update" : "add",
    evidence: evidenceOf(facts),
    facts: facts.map(({ id }) => id),
  };
}

/** Of each the latest place in each of the latest sessions, as many as are of use. */
function evidenceOf(facts: readonly Fact[]): BoardEvidence[] {
  const keyOf = ({ session: { source, id } }: Pick<BoardEvidence, "session">): string => `${source}:${id}`;
  const latest = facts.flatMap(({ places }) =>
    [...new Map(places.map((place) => [keyOf(place), place])).values()].slice(-MOST.perFact).toReversed(),
  );
  const distinct = new Map(latest.map((place) => [`${keyOf(place)} ${place.turn}`, place]));
  return [...distinct.values()]
    .slice(0, MOST.evidence)
    .map(({ session, turn }) => ({ session, ...(turn !== undefined && { turn }) }));
}

/** A line with a secret in it is not proposed. */
const isClean = (line: string): boolean => findBoardFaults({ content: line }).length === 0;

const hashOf = (text: string): string => hash("sha256", text);
