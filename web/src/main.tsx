/** Starts the web app. */
import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/prose.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./lib/api.ts";
import { applyTheme, readTheme } from "./lib/theme.ts";
import { router } from "./router.tsx";

applyTheme(readTheme());

const root = document.getElementById("root");
if (!root) throw new Error("The page has no place for the app");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
