/** The shop's servers: a lock nobody holds, pods that die, a certificate that is about to expire. */
import { type Chapter, copilot } from "../telling.ts";

const stateLock = copilot(
  "state-lock",
  { title: "Terraform state is locked by a job that is gone", when: "81d 16:25", branch: "main" },
  `
  > terraform plan says the state is locked. The CI job that took the lock was cancelled an hour ago.
  @failed run terraform -chdir=envs/staging plan # See the lock
  | Error: Error acquiring the state lock
  |   ID:        7c1de2a4-55f0-4d0e-9a61-0c7f2b9e1d33
  |   Operation: OperationTypeApply
  |   Who:       runner@ci-7f9c
  |   Created:   61 minutes ago

  The lock is from an **apply**, not a plan. Before removing it we should know how far that apply got; a half-applied change plus a
  forced unlock is how states get lost.

  > How do we find out?
  @run gh run view 5120 --log | tail -5 # Read the end of the cancelled job
  | module.queue.kafka_topic.orders: Modifying... [id=orders]
  | module.queue.kafka_topic.orders: Modifications complete after 3s
  | Error: The operation was canceled.

  It finished the one resource it was working on and was cancelled between two. So the state is at worst one write behind. I would:

  1. copy the state (´terraform state pull > before.tfstate´),
  2. unlock with the exact id,
  3. run ´plan´ and expect only the remaining changes.

  > Go.
  @run terraform -chdir=envs/staging state pull > before.tfstate && wc -c before.tfstate # Keep a copy
  | 184233 before.tfstate
  @run terraform -chdir=envs/staging force-unlock -force 7c1de2a4-55f0-4d0e-9a61-0c7f2b9e1d33 # Unlock
  | Terraform state has been successfully unlocked!
  @run terraform -chdir=envs/staging plan # What is left to do?
  | Plan: 0 to add, 2 to change, 0 to destroy.

  Two changes left, both from that job. It is safe to run the apply again.
`,
);

const oomKilled = copilot(
  "oom-killed",
  { title: "Image resizer restarts every forty minutes", when: "63d 07:55", branch: "fix/resizer-memory" },
  `
  > The resizer pods restart about every 40 minutes. Memory limit is 512Mi. Is it a leak?
  @run kubectl describe pod -l app=resizer | grep -A3 "Last State" # Why did they stop?
  |     Last State:  Terminated
  |       Reason:    OOMKilled
  |       Exit Code: 137
  @run kubectl top pod -l app=resizer --containers # How much do they use now?
  | resizer-6d9f7-2xk4p  resizer  12m  301Mi
  | resizer-6d9f7-9qhzl  resizer  9m   478Mi

  Killed for memory. It grows steadily rather than in jumps, which speaks for a leak or a cache without a bound.
  @search new Map|cache in services/resizer/src
  | services/resizer/src/resize.ts:11:const done = new Map<string, Buffer>();

  And there it is: ´done´ remembers every resized image for ever. With 40 images a minute of about 300 kB that is 512 MB in roughly
  40 minutes.

  > Do we need that cache at all? There is a CDN in front.
  @run kubectl logs -l app=resizer --since=1h | grep -c "from cache" # How often does it help?
  | 17

  17 hits in an hour against 2,400 requests. The CDN does the work; I'd remove it.

  > Remove it.
  @edit services/resizer/src/resize.ts
  - const done = new Map<string, Buffer>();
  @run npm test --workspace services/resizer # Run its tests
  |       Tests  15 passed (15)
  @run git commit -am "Let the CDN cache resized images, not the resizer" # Commit
  | [fix/resizer-memory 5f03c9b] Let the CDN cache resized images, not the resizer
  |  1 file changed, 1 insertion(+), 9 deletions(-)

  Removed in ´5f03c9b´.

  @after 23h
  > It has been running since yesterday. Still fine?
  @run kubectl top pod -l app=resizer --containers # Check after a day
  | resizer-7b4c8-hh2vd  resizer  11m  148Mi
  | resizer-7b4c8-wz9sn  resizer  10m  151Mi

  148 and 151 MiB after 23 hours, no restarts. Shall I lower the limit to 256Mi?
`,
);

const certExpiry = copilot(
  "cert-expiry",
  {
    title: "Certificate expires tomorrow and was not renewed",
    when: "31d 06:48",
    model: "gpt-5",
    branch: "main",
  },
  `
  > Alert: the certificate for api.lumen-shop.example expires in 23 hours. cert-manager should have renewed it.
  @run kubectl describe certificate api -n edge | tail -6 # Ask cert-manager
  | Status: False   Reason: Failed
  | Message: The certificate request has failed to complete and will be retried:
  |   Failed to wait for order resource "api-1" to become ready: order is in "invalid" state:
  |   acme: error 403: DNS problem: NXDOMAIN looking up TXT for _acme-challenge.api.lumen-shop.example

  The challenge record never appears in DNS. That is either the permission of the DNS token or the wrong zone.
  @run kubectl logs -n cert-manager deploy/cert-manager --since=2h | grep -i zone # Which zone does it write to?
  | found zone "lumen-shop.example." for "_acme-challenge.api.lumen-shop.example."
  | error: zone is read-only for this token (403)

  The zone is right, the token is not: it may read the zone but no longer write to it.

  > Someone rotated the DNS token last week. Where does it have to go?
  @search dns-token in clusters
  | clusters/edge/cert-manager/secret.yaml:7:  name: dns-token
  | clusters/edge/external-dns/secret.yaml:7:  name: dns-token

  There are two secrets with that name in two namespaces. ´external-dns´ has the new token (DNS entries work), ´cert-manager´ still
  has the old one, which was made read-only. Put the new value into ´cert-manager´ the usual way; I should not see it.

  > Done. Trigger the renewal.
  @run kubectl cert-manager renew api -n edge # Renew now
  | Manually triggered issuance of Certificate edge/api
  @run kubectl wait certificate/api -n edge --for=condition=Ready --timeout=180s # Wait for it
  | certificate.cert-manager.io/api condition met

  Renewed, valid for another 90 days.

  > What keeps this from happening again?

  Two things: one secret, mirrored into both namespaces, so that a rotation cannot miss one; and an alert on
  ´certmanager_certificate_ready_status == 0´ for six hours, because a failed renewal was visible **three weeks** before the expiry.
  Shall I open issues for both?

  > Yes please.
  @run gh issue create --title "Mirror the DNS token instead of copying it" --label reliability # First issue
  | https://github.com/lumen-shop/platform/issues/207
  @run gh issue create --title "Alert when a certificate is not ready for six hours" --label reliability # Second issue
  | https://github.com/lumen-shop/platform/issues/208

  Opened #207 and #208.
`,
);

export const platformIncidents: Chapter = {
  folder: "platform",
  repository: "lumen-shop/platform",
  tellings: [stateLock, oomKilled, certExpiry],
};
