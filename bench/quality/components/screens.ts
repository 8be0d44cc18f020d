/** Parts that people look at. */
import type { Component } from "../component.ts";

export const SCREENS: readonly Component[] = [
  {
    name: "date picker",
    does: "lets people choose the day of delivery",
    project: "storefront",
    files: ["web/src/DatePicker.tsx", "web/src/DatePicker.test.tsx", "web/src/calendar.ts"],
    names: ["useCalendarGrid", "isDisabledDay", "firstDayOfWeek"],
    bug: {
      symptom: "Customers in Chile choose the fifth and we deliver on the fourth.",
      error: "RangeError: Invalid time value at Date.toISOString (web/src/calendar.ts:88:21)",
      cause:
        "The chosen day becomes midnight in local time and is then sent as UTC, which is the day before.",
      cure: "A day is a plain string like 2026-03-05 all the way to the database; no clock is involved.",
      detail: [
        "Which tests prove it?",
        "They run in three time zones, with TZ set to Santiago, Kiritimati and UTC.",
      ],
      command: "TZ=America/Santiago npx vitest run web/src/DatePicker.test.tsx",
      pr: 610,
    },
    wish: {
      ask: "Public holidays should not be selectable.",
      made: "Holidays come from the region's list and are struck through with their name on hover.",
    },
    slow: {
      ask: "Opening it on an old phone takes a second.",
      cause: "It renders two years of months that nobody sees.",
      cure: "Only three months exist in the page; the rest is drawn while scrolling.",
    },
    upgrade: {
      ask: "date-fns 2 to 4.",
      broke: "Locales are named exports.",
      cure: "One module imports the three that we use.",
    },
  },
  {
    name: "shopping cart",
    does: "collects what people are about to buy",
    project: "storefront",
    files: ["web/src/cart/reducer.ts", "web/src/cart/reducer.test.ts", "web/src/cart/CartDrawer.tsx"],
    names: ["cartReducer", "mergeGuestCart", "line_total"],
    bug: {
      symptom: "After signing in, everything in the basket is there twice.",
      error: "Warning: Encountered two children with the same key, `sku-4411`",
      cause: "The guest's basket is merged on every mount, and React mounts twice in strict mode.",
      cure: "Merging is idempotent: it takes the larger quantity of the two instead of adding them.",
      detail: [
        "What about items that are sold out meanwhile?",
        "They stay, greyed out, with a button that asks to be told when they are back.",
      ],
      command: "npx playwright test cart --headed",
      pr: 588,
    },
    wish: {
      ask: "Voucher codes, but only one for each order.",
      made: "A code is checked on the server; entering a second one asks which to keep.",
    },
    slow: {
      ask: "Changing a quantity freezes the drawer.",
      cause: "Each keystroke recalculates shipping for all carriers.",
      cure: "It waits 300 ms and only asks the chosen carrier.",
    },
    upgrade: {
      ask: "React 18 to 19.",
      broke: "defaultProps on function components and string refs are gone.",
      cure: "Default values in the parameters; two refs became callbacks.",
    },
  },
  {
    name: "dark mode",
    does: "is easy on the eyes at night",
    project: "docs-site",
    files: ["site/theme.js", "site/theme.test.js", "site/styles/tokens.css"],
    names: ["prefersDark", "applyTheme", "--surface-raised"],
    bug: {
      symptom: "The page flashes white for a moment before it turns dark.",
      error:
        "Refused to execute inline script because it violates the following Content Security Policy directive",
      cause:
        "The script that sets the class is loaded at the end of the body, because inline scripts are forbidden.",
      cure: "A tiny inline script in the head with a nonce sets the attribute before the first paint.",
      detail: [
        "And visitors without JavaScript?",
        "They get what their system prefers, through the media query in tokens.css.",
      ],
      command: "npx lighthouse http://localhost:3000 --only-categories=performance",
      pr: 77,
    },
    wish: {
      ask: "A switch with three positions: light, dark, system.",
      made: "The choice is kept in local storage and follows the system until somebody chooses.",
    },
    slow: {
      ask: "Switching takes half a second on long pages.",
      cause: "Every element has a transition on all properties.",
      cure: "Only background and colour are animated, and none while switching.",
    },
    upgrade: {
      ask: "Tailwind 3 to 4.",
      broke: "The config file is CSS now and ring widths changed.",
      cure: "Tokens moved to @theme; ring-3 where ring was.",
    },
  },
  {
    name: "translation files",
    does: "hold every sentence of the app in nine languages",
    project: "mobile",
    files: ["lib/l10n/app_en.arb", "test/l10n_test.dart", "tool/check_l10n.dart"],
    names: ["pluralRules", "missingKeys", "app_localizations"],
    bug: {
      symptom: "Polish users read 2 plików wybrano where five would need another word.",
      error: "FormatException: Expected ICU plural category 'few' in key selectedFiles",
      cause: "The translators copied the English two forms; Polish has four.",
      cure: "The check fails when a language lacks one of its categories, and the missing ones were added.",
      detail: [
        "Who fills in what is missing?",
        "Missing keys open a ticket for the agency each Monday and fall back to English until then.",
      ],
      command: "flutter gen-l10n && dart run tool/check_l10n.dart",
      pr: 342,
    },
    wish: {
      ask: "Right-to-left for Arabic.",
      made: "Paddings use start and end; icons that point somewhere are mirrored.",
    },
    slow: {
      ask: "Start-up loads all nine languages.",
      cause: "They are compiled into one map.",
      cure: "Deferred loading: only the chosen one.",
    },
    upgrade: {
      ask: "Flutter 3.10 to 3.29.",
      broke: "WillPopScope and textScaleFactor are deprecated.",
      cure: "PopScope and TextScaler.",
    },
  },
  {
    name: "push notification",
    does: "rings the phone when an order moves",
    project: "mobile",
    files: ["lib/push/receiver.dart", "test/push/receiver_test.dart", "ios/Runner/AppDelegate.swift"],
    names: ["onBackgroundMessage", "deviceToken", "push_channels"],
    bug: {
      symptom: "Nothing arrives on iPhones once the app was swiped away.",
      error: "[firebase_messaging/apns-token-not-set] APNS token has not been set yet",
      cause: "The token is asked for before the user has allowed anything, and never again afterwards.",
      cure: "It is requested after the permission, and again whenever the app comes to the front.",
      detail: [
        "How many devices are affected?",
        "About eleven percent have no token; they repair themselves at the next start.",
      ],
      command: "xcrun simctl push booted dev.example.shop payload.json",
      pr: 365,
    },
    wish: {
      ask: "Quiet hours between ten and seven.",
      made: "Messages wait on the server until seven in the user's own time zone, except deliveries at the door.",
    },
    slow: {
      ask: "A campaign to a million devices takes all night.",
      cause: "One HTTP request for each device.",
      cure: "Topics and batches of five hundred over HTTP/2; twelve minutes.",
    },
    upgrade: {
      ask: "Firebase's legacy API is switched off, go to HTTP v1.",
      broke: "The server key is replaced by a service account.",
      cure: "Short-lived tokens from the metadata server.",
    },
  },
  {
    name: "offline sync",
    does: "lets couriers work in cellars without a signal",
    project: "mobile",
    files: ["lib/sync/engine.dart", "test/sync/engine_test.dart", "lib/sync/conflict.dart"],
    names: ["mergeChanges", "lastSyncedAt", "conflict_copies"],
    bug: {
      symptom: "A courier's signatures vanished after he drove out of the tunnel.",
      error: "SyncConflict: local rev 41 is behind remote rev 44, dropping 3 changes",
      cause: "The server's version wins whenever its revision is higher, whatever was changed.",
      cure: "Fields are merged one by one; when both sides changed the same field, both copies are kept and shown.",
      detail: [
        "Can we get the lost signatures back?",
        "They are still in the phone's journal; a hidden button in the settings uploads it.",
      ],
      command: "adb shell run-as dev.example.courier cat databases/journal.db > journal.db",
      pr: 398,
    },
    wish: {
      ask: "Show how old the data on the screen is.",
      made: "A line below the title says when it was last synchronised; it turns amber after an hour.",
    },
    slow: {
      ask: "The first synchronisation in the morning takes five minutes.",
      cause: "It fetches every parcel ever delivered.",
      cure: "Only the tour of the day and what changed since; eight seconds.",
    },
    upgrade: {
      ask: "Move from sqflite to drift.",
      broke: "Blobs come back as Uint8List.",
      cure: "A converter at one place; migrations are generated.",
    },
  },
];
