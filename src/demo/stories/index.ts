/** Every story of the demo; a fork comes after the session that it was made from. */
import type { Chapter } from "../telling.ts";
import { handbook } from "./handbook.ts";
import { harborEtl } from "./harbor-etl.ts";
import { harborPolars } from "./harbor-polars.ts";
import { platformIncidents } from "./platform-incidents.ts";
import { platformPlans } from "./platform-plans.ts";
import { quill } from "./quill.ts";
import { rates } from "./rates.ts";
import { storefrontCheckout } from "./storefront-checkout.ts";
import { storefrontLogin } from "./storefront-login.ts";
import { storefrontPages } from "./storefront-pages.ts";
import { storefrontPrices } from "./storefront-prices.ts";
import { storefrontSpike } from "./storefront-spike.ts";
import { trailhead } from "./trailhead.ts";

export const CHAPTERS: readonly Chapter[] = [
  storefrontPrices,
  storefrontPages,
  storefrontLogin,
  storefrontCheckout,
  storefrontSpike,
  harborEtl,
  harborPolars,
  quill,
  platformIncidents,
  platformPlans,
  trailhead,
  handbook,
  rates,
];
