/** `rethread hub provider`: how applications that keep their sessions in the hub's database reach it. */
import { type HubAct, operatorOptions, refuseMore } from "./called.ts";

export const provider: HubAct = async (called) => {
  const { args, config, out } = called;
  refuseMore("provider", args.what);
  const { providerAddress } = await import("../../app/hub/operator.ts");
  const url = await providerAddress(config, operatorOptions(called));
  if (args.json) out.json({ url });
  else {
    out.line(url);
    out.note("Who has this address can log in to the database, and sees nothing there without a token.");
  }
  return 0;
};
