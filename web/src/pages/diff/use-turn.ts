/** One turn of a session, read with its neighbours. */
import { useQuery } from "@tanstack/react-query";
import type { Answer } from "../../../../src/client/index.ts";
import type { Part } from "../../../../src/model/session/turns.ts";
import { api } from "../../lib/api.ts";

/** Parts as the model has them, which the functions of `present/` take. */
export type Turn = Omit<Answer<"turns">["turns"][number], "parts"> & { readonly parts: readonly Part[] };

const PAGE = 10;
/** What tools gave back is not compared here, so little of it is enough. */
const RESULT_LENGTH = 200;

export function useTurn(session: string, index: number | undefined) {
  const page = Math.floor((index ?? 0) / PAGE);
  const { data, error } = useQuery({
    queryKey: ["session", session, "compared", page],
    queryFn: ({ signal }) =>
      api.turns(
        session,
        { from: page * PAGE, to: page * PAGE + PAGE - 1, textLimit: RESULT_LENGTH },
        { signal },
      ),
    enabled: index !== undefined,
  });
  const turns = data?.turns as unknown as readonly Turn[] | undefined;
  return { turn: turns?.find((turn) => turn.index === index), error };
}
