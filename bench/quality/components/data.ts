/** Parts that keep, move and count data. */
import type { Component } from "../component.ts";

export const DATA: readonly Component[] = [
  {
    name: "connection pool",
    does: "shares a few database connections among many requests",
    project: "billing",
    files: ["app/db/pool.py", "tests/db/test_pool.py", "app/db/settings.py"],
    names: ["acquire_connection", "PoolTimeout", "max_overflow"],
    bug: {
      symptom: "Around noon every request fails for a minute, then it recovers by itself.",
      error:
        "sqlalchemy.exc.TimeoutError: QueuePool limit of size 5 overflow 10 reached, connection timed out, timeout 30.00",
      cause: "The nightly export keeps its connections because an exception skips the close call.",
      cure: "Connections are taken in a with block, so they go back whatever happens.",
      detail: [
        "How would we notice earlier next time?",
        "A gauge of checked-out connections is exported and alerts at eighty percent.",
      ],
      command: 'psql -c "select state, count(*) from pg_stat_activity group by 1"',
      pr: 512,
    },
    wish: {
      ask: "Reports should never starve the web requests.",
      made: "Reports have a pool of their own with three connections against the replica.",
    },
    slow: {
      ask: "The first request after a deploy takes four seconds.",
      cause: "Connections are opened lazily, with TLS, one at a time.",
      cure: "The pool opens five at start-up, before the health check turns green.",
    },
    upgrade: {
      ask: "SQLAlchemy 1.4 to 2.0.",
      broke: "Query.get is gone and rows are no tuples of dicts.",
      cure: "session.get everywhere; a codemod did the select statements.",
    },
  },
  {
    name: "invoice export",
    does: "hands the month's invoices to the tax office's format",
    project: "billing",
    files: ["app/export/invoices.py", "tests/export/test_invoices.py", "app/export/xrechnung.py"],
    names: ["export_invoices", "round_half_even", "InvoiceLine"],
    bug: {
      symptom: "The sum on the exported invoice differs by a cent from what we charged.",
      error: "ValidationError: BR-CO-10 sum of line amounts 119.99 does not equal 120.00",
      cause: "Tax is rounded for each line and then added up, while we charge the rounded total.",
      cure: "Lines keep four digits and only the total is rounded, half to even, as the standard wants.",
      detail: [
        "Do the old invoices have to be sent again?",
        "Only the seven that the validator rejected; their numbers are in the ticket.",
      ],
      command: "python -m app.export --month 2026-04 --validate",
      pr: 540,
    },
    wish: {
      ask: "Accounting wants a CSV beside the XML.",
      made: "There is one line an item, semicolons, and a byte order mark so that Excel believes in it.",
    },
    slow: {
      ask: "Exporting a quarter runs for forty minutes.",
      cause: "Each invoice loads its customer again.",
      cure: "Customers are loaded once a chunk of five hundred; it takes ninety seconds.",
    },
    upgrade: {
      ask: "lxml 4 to 6.",
      broke: "The cleaner moved to a package of its own.",
      cure: "We never needed it: the import is gone.",
    },
  },
  {
    name: "search index",
    does: "lets customers find products by words",
    project: "storefront",
    files: ["src/search/indexer.rs", "src/search/indexer_test.rs", "src/search/analyzer.rs"],
    names: ["reindexProducts", "synonymFilter", "MIN_SCORE"],
    bug: {
      symptom: "Typing jeans finds nothing although we sell hundreds of them.",
      error: "parse_exception: failed to find analyzer [english_folded]",
      cause:
        "The new index was created without its settings, so the alias points at one with the default analyzer.",
      cure: "Settings and mappings are created in one call and the alias only moves after a probe query has found something.",
      detail: [
        "Can we roll back if the probe fails?",
        "The previous index is kept for a week; one command moves the alias back.",
      ],
      command: "curl -s localhost:9200/_cat/aliases?v",
      pr: 233,
    },
    wish: {
      ask: "Sneakers and trainers should mean the same.",
      made: "Synonyms live in a text file that merchandisers edit; it is applied at query time.",
    },
    slow: {
      ask: "A full reindex blocks the site for twenty minutes.",
      cause: "Documents are refreshed one at a time, with replicas on.",
      cure: "Bulk requests of 5 MB with refresh off; it needs two minutes.",
    },
    upgrade: {
      ask: "Elasticsearch 7 to OpenSearch 2.",
      broke: "The client refuses to talk to a server of the other name.",
      cure: "The opensearch client, same queries, types removed.",
    },
  },
  {
    name: "CSV import",
    does: "reads the price lists that suppliers send",
    project: "warehouse",
    files: ["etl/import_prices.py", "tests/etl/test_import_prices.py", "etl/encodings.py"],
    names: ["import_prices", "detectEncoding", "decimal_comma"],
    bug: {
      symptom: "Half of the umlauts in the supplier's names turn into question marks.",
      error: "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xfc in position 1180: invalid start byte",
      cause: "Two suppliers send Windows-1252, and the error handler replaced what it did not know.",
      cure: "The encoding is detected for each file and written to the import log; nothing is replaced in silence.",
      detail: [
        "And the prices with a comma?",
        "decimal_comma is set for each supplier; 1.299,00 is read as one thousand two hundred ninety-nine.",
      ],
      command: "file -i inbox/*.csv",
      pr: 158,
    },
    wish: {
      ask: "Show which rows were refused and why.",
      made: "Refused rows go to a file with the reason in the last column, and the mail links to it.",
    },
    slow: {
      ask: "The import of the large supplier swaps the machine to death.",
      cause: "pandas reads the whole file as objects.",
      cure: "Polars scans it lazily in streaming mode, 400 MB instead of 11 GB.",
    },
    upgrade: {
      ask: "Python 3.9 to 3.13 for the importer.",
      broke: "distutils and the cgi module are gone.",
      cure: "setuptools, and email.message for the header parsing.",
    },
  },
  {
    name: "schema migration",
    does: "changes the tables while people work",
    project: "billing",
    files: ["migrations/0042_split_address.sql", "tests/migrations/test_split.py", "scripts/migrate.sh"],
    names: ["split_address", "lock_timeout", "backfillBatch"],
    bug: {
      symptom: "The deploy hung and all writes to customers waited until we killed it.",
      error:
        "ERROR: canceling statement due to lock timeout; ALTER TABLE customers ADD COLUMN zip text NOT NULL DEFAULT ''",
      cause:
        "A long report held a share lock, our ALTER queued behind it, and everything else queued behind us.",
      cure: "Migrations set lock_timeout to two seconds and try again; columns come nullable first.",
      detail: [
        "How do we fill the new column without another lock?",
        "backfillBatch updates a thousand rows at a time and sleeps between them.",
      ],
      command: 'psql -c "select * from pg_locks where not granted"',
      pr: 487,
    },
    wish: {
      ask: "I want to see what a migration would do before it runs.",
      made: "migrate.sh --plan prints the statements, the locks they take and an estimate of the rows.",
    },
    slow: {
      ask: "Backfilling took eleven hours.",
      cause: "The trigger that writes the history fires for each row.",
      cure: "The trigger skips rows whose session variable says backfill; forty minutes.",
    },
    upgrade: {
      ask: "PostgreSQL 13 to 17.",
      broke: "The public schema is no longer writable for everybody.",
      cure: "Grants are explicit in a migration; pg_upgrade --link took two minutes.",
    },
  },
  {
    name: "cron scheduler",
    does: "starts the jobs of the night",
    project: "warehouse",
    files: ["jobs/scheduler.rb", "spec/jobs/scheduler_spec.rb", "config/schedule.yml"],
    names: ["NightlyJob", "next_run_at", "advisory_lock"],
    bug: {
      symptom: "The stock report came twice on Sunday and was missing in spring.",
      error:
        'ActiveRecord::RecordNotUnique: duplicate key value violates unique constraint "index_reports_on_day"',
      cause: "Local time: 02:30 exists twice when the clocks go back and not at all when they go forward.",
      cure: "Schedules are kept in UTC, and jobs that must follow the local day run at 04:15.",
      detail: [
        "What if two machines start the same job?",
        "An advisory lock in the database lets only the first one in.",
      ],
      command: "bundle exec rails runner 'puts Schedule.upcoming(10)'",
      pr: 204,
    },
    wish: {
      ask: "Tell us in the chat when a job did not finish.",
      made: "A job that runs past its allowance or raises posts to the operations channel, once.",
    },
    slow: {
      ask: "All jobs start at midnight and the machine is dead until one.",
      cause: "Everyone wrote 0 0 * * *.",
      cure: "Starts are spread by a hash of the job's name over thirty minutes.",
    },
    upgrade: {
      ask: "Rails 6.1 to 7.2.",
      broke: "Zeitwerk does not find classes whose file name differs.",
      cure: "Four files renamed, one inflection added.",
    },
  },
  {
    name: "audit log",
    does: "remembers who did what and when",
    project: "accounts",
    files: ["internal/audit/log.go", "internal/audit/log_test.go", "internal/audit/redact.go"],
    names: ["AppendEntry", "redactFields", "audit_partitions"],
    bug: {
      symptom: "There are holes in the numbers of the entries, and the auditor asks where they went.",
      error: "pq: current transaction is aborted, commands ignored until end of transaction block",
      cause: "Numbers come from a sequence, and a rolled back transaction does not give its number back.",
      cure: "Entries are chained by a hash instead; a missing one breaks the chain, a gap in numbers means nothing.",
      detail: [
        "Are passwords ever written there?",
        "redactFields removes passwords, tokens and card numbers before an entry is hashed.",
      ],
      command: "go run ./cmd/auditverify --since 2026-01-01",
      pr: 369,
    },
    wish: {
      ask: "Old entries must go after ten years, not before.",
      made: "Monthly partitions; the one that turns ten is detached, archived and dropped.",
    },
    slow: {
      ask: "Filtering by person takes a minute.",
      cause: "The index starts with the time, so it is scanned as a whole.",
      cure: "A second index on actor and time; forty milliseconds.",
    },
    upgrade: {
      ask: "Replace lib/pq by pgx v5.",
      broke: "Arrays and null times scan differently.",
      cure: "pgtype for both, one helper.",
    },
  },
];
