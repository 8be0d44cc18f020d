/** Parts of services: what answers requests. */
import type { Component } from "../component.ts";

export const SERVICES: readonly Component[] = [
  {
    name: "rate limiter",
    does: "caps how many requests a client may send in a minute",
    project: "gateway",
    files: ["src/limits/rate-limiter.ts", "src/limits/rate-limiter.test.ts", "src/limits/window.ts"],
    names: ["rateLimiter", "slidingWindow", "X_RATELIMIT_RESET"],
    bug: {
      symptom:
        "Some clients get through with twice the quota right after the full minute. Why does the limiter let them?",
      error: "WARN quota exceeded: client=acme used=241 allowed=120",
      cause: "The window is fixed: a burst at 12:00:59 and another at 12:01:01 count in two windows.",
      cure: "I replaced the fixed window by a sliding one that weighs the previous minute by its overlap.",
      detail: [
        "And two gateway instances at once?",
        "Both now increment the same key in Redis inside one Lua script, so no request is counted twice or lost.",
      ],
      command: "npx autocannon -d 70 -c 4 http://localhost:8080/v1/ping",
      pr: 318,
    },
    wish: {
      ask: "Partners with a contract need a higher quota than everybody else.",
      made: "Quotas now come from the plan of the API key: free 120, partner 1200, internal unlimited.",
    },
    slow: {
      ask: "Every request spends 9 ms in the limiter before anything else happens.",
      cause: "It makes three round trips to Redis, one after another.",
      cure: "One EVALSHA does all three; it is down to 0.8 ms.",
    },
    upgrade: {
      ask: "Bump ioredis from 4 to 5.",
      broke: "Pipelines reject instead of returning errors in an array.",
      cure: "I unwrap each reply and keep the old behaviour behind execAll.",
    },
  },
  {
    name: "session cookie",
    does: "keeps people signed in between visits",
    project: "accounts",
    files: ["src/auth/session-cookie.ts", "src/auth/session-cookie.test.ts", "src/auth/csrf.ts"],
    names: ["issueSessionCookie", "sameSitePolicy", "SESSION_SECRET"],
    bug: {
      symptom: "People on Safari are signed out each time they come back from the payment page.",
      error: "Error: ERR_SESSION_MISSING at requireUser (src/auth/guard.ts:41:11)",
      cause:
        "The cookie is SameSite=Strict, so the browser leaves it out when the bank redirects back to us with a POST.",
      cure: "The return page answers with a redirect to itself, which is same-site, and the cookie is Lax for that path only.",
      detail: [
        "Does that open us to forged requests?",
        "No: every form still carries the CSRF token, and Lax cookies are not sent with cross-site POST requests.",
      ],
      command: "curl -sI -b jar.txt https://localhost:8443/checkout/return",
      pr: 402,
    },
    wish: {
      ask: "Add a remember me checkbox to the sign-in form.",
      made: "Ticked, the cookie lives thirty days and rotates weekly; unticked, it ends with the browser.",
    },
    slow: {
      ask: "Signing in takes two seconds on the small machines.",
      cause: "bcrypt runs with a cost of 14 on the event loop.",
      cure: "The hash moved to argon2id in a worker thread; old hashes are replaced at the next sign-in.",
    },
    upgrade: {
      ask: "Move express from 4 to 5.",
      broke: "req.cookies is undefined until the parser ran, and path patterns need names for wildcards.",
      cure: "The parser is mounted first, and /* became /*rest.",
    },
  },
  {
    name: "webhook delivery",
    does: "tells other people's servers what happened in ours",
    project: "gateway",
    files: ["src/webhooks/deliver.ts", "src/webhooks/deliver.test.ts", "src/webhooks/sign.ts"],
    names: ["deliverWebhook", "retryBackoff", "webhook_attempts"],
    bug: {
      symptom: "A customer received the same order.created event eleven times overnight.",
      error: "DeliveryError: socket hang up (ECONNRESET) after 30000 ms, attempt 11 of 12",
      cause:
        "Their server answers after 31 seconds; we give up at 30 and try again although the event had arrived.",
      cure: "Events carry an idempotency key, the timeout is 60 seconds, and retries wait longer each time.",
      detail: [
        "How can they check that it really came from us?",
        "The signature header is an HMAC-SHA256 over timestamp and body; the docs page has a snippet for three languages.",
      ],
      command: "node scripts/replay-webhook.js evt_81f3 --dry-run",
      pr: 377,
    },
    wish: {
      ask: "Let customers pause an endpoint while they are in maintenance.",
      made: "A paused endpoint queues up to 72 hours and is drained in order afterwards.",
    },
    slow: {
      ask: "The queue of outgoing events grows during the day and only empties at night.",
      cause: "One slow receiver blocks the worker for everybody behind it.",
      cure: "Each endpoint has a lane of its own, four at a time.",
    },
    upgrade: {
      ask: "Replace the deprecated request package by undici.",
      broke: "Redirects are not followed any more and bodies must be consumed.",
      cure: "A small wrapper follows three redirects and dumps unread bodies.",
    },
  },
  {
    name: "password reset mail",
    does: "lets people back in who forgot their password",
    project: "accounts",
    files: ["src/mail/password-reset.ts", "src/mail/password-reset.test.ts", "templates/reset.mjml"],
    names: ["sendResetMail", "resetTokenTtl", "reset_tokens"],
    bug: {
      symptom: "Users complain that the link in the mail is already invalid when they click it.",
      error: "TokenError: reset token was used at 2026-05-04T08:12:44Z",
      cause: "Outlook's link scanner opens the address first, and our page consumed the token on GET.",
      cure: "GET only shows a button; the token is consumed by the POST behind it.",
      detail: [
        "How long is a link good for now?",
        "One hour, as before; asking again makes all earlier links worthless.",
      ],
      command: "npm run mail:preview -- reset --to outlook",
      pr: 291,
    },
    wish: {
      ask: "Send the mail in the language of the account.",
      made: "There are templates for English, French and Polish; anything else gets English.",
    },
    slow: {
      ask: "The page hangs for several seconds after pressing the button.",
      cause: "It waits for the SMTP server before answering.",
      cure: "The mail goes through the outbox table and a worker sends it.",
    },
    upgrade: {
      ask: "Upgrade mjml to version 5.",
      broke: "mj-include needs absolute paths and the validator is strict.",
      cure: "Paths are resolved at build time; two unclosed columns were fixed.",
    },
  },
  {
    name: "GraphQL gateway",
    does: "joins the schemas of all services into one",
    project: "gateway",
    files: ["src/graph/gateway.ts", "src/graph/gateway.test.ts", "src/graph/loaders.ts"],
    names: ["buildSupergraph", "productLoader", "QUERY_DEPTH_LIMIT"],
    bug: {
      symptom: "The order query returns null for products that certainly exist.",
      error: "Cannot return null for non-nullable field Order.product.",
      cause: "The DataLoader returns rows in database order, not in the order of the keys it was given.",
      cure: "Rows are put back into key order with a map, and missing ones are errors, not null.",
      detail: [
        "Could the cache leak between users?",
        "No longer: loaders are created for each request instead of once per process.",
      ],
      command: "npx rover subgraph check shop --schema schema.graphql",
      pr: 455,
    },
    wish: {
      ask: "Refuse queries that nest too deeply.",
      made: "Anything deeper than eight levels is answered with QUERY_TOO_DEEP before a resolver runs.",
    },
    slow: {
      ask: "The product page fires four hundred SQL statements.",
      cause: "Prices are resolved one by one, the classic N+1.",
      cure: "A price loader batches them; it is three statements now.",
    },
    upgrade: {
      ask: "Apollo Server 3 reaches its end of life, go to 4.",
      broke: "The context function moved and the cache must be configured.",
      cure: "Context is built in the express middleware; the cache is bounded at 30 MB.",
    },
  },
  {
    name: "file upload",
    does: "takes pictures and documents from customers",
    project: "storefront",
    files: ["src/upload/multipart.ts", "src/upload/multipart.test.ts", "src/upload/s3-client.ts"],
    names: ["uploadPart", "presignedUrl", "MAX_UPLOAD_MB"],
    bug: {
      symptom: "Large pictures arrive truncated: the lower half is grey.",
      error: "BadDigest: The Content-MD5 you specified did not match what we received",
      cause:
        "The stream is read twice, once for the checksum and once for the body, and the second read starts in the middle.",
      cure: "The checksum is computed while the parts are sent, and sent as a trailer.",
      detail: [
        "What happens to parts of uploads that were given up?",
        "A lifecycle rule removes unfinished multipart uploads after one day.",
      ],
      command: "aws s3api list-multipart-uploads --bucket shop-incoming",
      pr: 266,
    },
    wish: {
      ask: "Show thumbnails while the upload is still running.",
      made: "The browser draws a preview from the local file; the server's thumbnail replaces it later.",
    },
    slow: {
      ask: "Uploading ten photos from a phone takes minutes.",
      cause: "They go one after another through our own server.",
      cure: "Presigned addresses let the phone send four at once, straight to the bucket.",
    },
    upgrade: {
      ask: "Go from the AWS SDK v2 to v3.",
      broke: "Streams are web streams now and errors have no statusCode.",
      cure: "Readable.fromWeb at one place, and $metadata for the status.",
    },
  },
  {
    name: "permission check",
    does: "decides who may see or change a document",
    project: "accounts",
    files: ["internal/authz/check.go", "internal/authz/check_test.go", "internal/authz/roles.go"],
    names: ["CanEdit", "roleHierarchy", "acl_entries"],
    bug: {
      symptom: "A guest could delete a shared folder that she was only invited to read.",
      error: "audit: DELETE /folders/77 by guest:1009 allowed (rule=inherit)",
      cause: "Inherited rules are evaluated before the ones on the folder itself, and the first match wins.",
      cure: "Rules on the thing itself win; a deny always beats an allow at the same level.",
      detail: [
        "Were other folders touched that way?",
        "The audit query lists four deletions in ninety days, all by people who own them anyway.",
      ],
      command: "go test ./internal/authz -run TestInherit -count=1",
      pr: 431,
    },
    wish: {
      ask: "We need a role between viewer and editor that may only comment.",
      made: "Commenter sits between the two; the matrix test covers every action for every role.",
    },
    slow: {
      ask: "Opening a team with nine thousand documents takes eight seconds.",
      cause: "Each document asks the database for the same memberships.",
      cure: "Memberships are read once for each request and kept in the context.",
    },
    upgrade: {
      ask: "Go 1.21 to 1.24 in the authorization service.",
      broke: "Loop variables are per iteration now, one test relied on the old way.",
      cure: "The test captures what it means explicitly.",
    },
  },
];
