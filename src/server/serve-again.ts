/** How somebody gets another address of a server: the command finds the one that runs by the options it was started with. */
import { inDemo, type Remedy } from "../model/remedy.ts";

export interface ServedAs {
  readonly isDemo: boolean;
  readonly isReadOnly: boolean;
  readonly host?: string | undefined;
  readonly hasTls: boolean;
}

export function serveAgain({ isDemo, isReadOnly, host, hasTls }: ServedAs): Remedy {
  const remedy: Remedy = {
    action: "serve",
    args: { ...(isReadOnly && { readOnly: true }), ...(host !== undefined && { host }) },
    // Where the files of the certificate lie is nobody's business.
    ...(hasTls && { asks: { tlsCert: "file", tlsKey: "file" } }),
  };
  return isDemo ? inDemo(remedy) : remedy;
}
