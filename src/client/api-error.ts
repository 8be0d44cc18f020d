/** An answer of the API that is an error: its code, its sentence and its next step. */

/** A next step that rethread can take. */
export interface ApiRemedy {
  readonly action: string;
  readonly session?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  /** What only the user can say, by the argument that it becomes. */
  readonly asks?: Readonly<Record<string, string | undefined>>;
}

/** One of the sessions that a name could mean. */
export interface ApiMatch {
  readonly source: string;
  readonly id: string;
  readonly title: string;
  readonly workspace: string | null;
  readonly repository: string | null;
  readonly updatedAt: string | null;
}

interface ErrorJson {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly remedy?: ApiRemedy;
  readonly say?: string;
  readonly matches?: readonly ApiMatch[];
}

export class ApiError extends Error {
  override readonly name = "ApiError";
  /** Such as `session-not-found`; `unreachable` where there was no answer. */
  readonly code: string;
  /** Of HTTP; 0 where there was no answer. */
  readonly status: number;
  readonly hint: string;
  /** The hint as data, where rethread can take that step. */
  readonly remedy?: ApiRemedy;
  /** What introduces that step in words, without the command of the hint. */
  readonly say?: string;
  readonly matches?: readonly ApiMatch[];
  /** When to ask again, in seconds. */
  readonly retryAfter?: number;
  constructor(
    status: number,
    { code, message, hint = "", remedy, say, matches }: ErrorJson,
    retryAfter?: number,
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.hint = hint;
    if (remedy) this.remedy = remedy;
    if (say !== undefined) this.say = say;
    if (matches) this.matches = matches;
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
  }
}

export const unreachable = (cause: unknown): ApiError =>
  Object.assign(
    new ApiError(0, {
      code: "unreachable",
      message: "The server does not answer",
      hint: "Start it again: rethread serve",
    }),
    { cause },
  );

/** From an answer whose status says that it is one. */
export async function toApiError(response: Response): Promise<ApiError> {
  const after = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfter = Number.isFinite(after) ? after : undefined;
  try {
    const { error } = (await response.json()) as { readonly error: ErrorJson };
    return new ApiError(response.status, error, retryAfter);
  } catch {
    const message = `The server answered with status ${response.status}`;
    return new ApiError(response.status, { code: "internal", message }, retryAfter);
  }
}
