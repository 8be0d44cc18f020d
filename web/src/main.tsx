/** Starts the web app, as what the server says that it is. */
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/prose.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { api, keys, queryClient } from "./lib/api.ts";
import { setMode } from "./lib/mode.ts";
import { applyTheme, readTheme } from "./lib/theme.ts";
import { router } from "./router.tsx";

applyTheme(readTheme());

const root = document.getElementById("root");
if (!root) throw new Error("The page has no place for the app");

// The page asks for it while it loads the scripts (index.html), so it is here by now.
const health = await api.health().catch(() => undefined);
if (health) queryClient.setQueryData(keys.health, health);
if (health?.mode === "hub") setMode("hub");

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
