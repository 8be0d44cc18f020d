/** A process that appends records to a session on the hub, and says so of each, until it is killed. */
import { openHubSessions } from "../../src/hub/provider/contract.ts";

const [url = "", token = "", sessionId = "", longest = "600000", lease = "500"] = process.argv.slice(2);
const sessions = await openHubSessions({ url, token, leaseMs: Number(lease) });
const provider = sessions.provider({ sessionId });
for (let number = 0; ; number++) {
  const text = "x".repeat((number * 7919) % Number(longest));
  await provider.appendFile("/session/events.jsonl", `${JSON.stringify({ number, text })}\n`);
  process.stdout.write(`${number}\n`);
}
