import { createRoute, lazyRouteComponent } from "@tanstack/react-router"
import { paths } from "../paths.ts"
import { page } from "./signed-in.tsx"

const automations = createRoute({
  ...page,
  path: paths.automations,
  validateSearch: (search): { view?: "log" } => (search.view === "log" ? { view: "log" } : {}),
  component: lazyRouteComponent(
    () => import("../features/extensions/automations/AutomationsPage.tsx"),
    "AutomationsPage",
  ),
})
const automationNew = createRoute({
  ...page,
  path: paths.automationNew,
  component: lazyRouteComponent(
    () => import("../features/extensions/automations/AutomationPage.tsx"),
    "NewAutomationPage",
  ),
})
const automation = createRoute({
  ...page,
  path: paths.automation,
  component: lazyRouteComponent(
    () => import("../features/extensions/automations/AutomationPage.tsx"),
    "AutomationPage",
  ),
})
const webhooks = createRoute({
  ...page,
  path: paths.webhooks,
  validateSearch: (search): { webhook?: string } =>
    typeof search.webhook === "string" ? { webhook: search.webhook } : {},
  component: lazyRouteComponent(
    () => import("../features/extensions/webhooks/WebhooksPage.tsx"),
    "WebhooksPage",
  ),
})
const integrations = createRoute({
  ...page,
  path: paths.integrations,
  component: lazyRouteComponent(
    () => import("../features/extensions/integrations/IntegrationsPage.tsx"),
    "IntegrationsPage",
  ),
})
const plugins = createRoute({
  ...page,
  path: paths.plugins,
  component: lazyRouteComponent(
    () => import("../features/extensions/plugins/PluginsPage.tsx"),
    "PluginsPage",
  ),
})
const plugin = createRoute({
  ...page,
  path: paths.plugin,
  component: lazyRouteComponent(() => import("../features/extensions/plugins/PluginPage.tsx"), "PluginPage"),
})
const customModule = createRoute({
  ...page,
  path: paths.customModule,
  component: lazyRouteComponent(
    () => import("../features/extensions/custom-modules/CustomModulePage.tsx"),
    "CustomModulePage",
  ),
})
const imports = createRoute({
  ...page,
  path: paths.imports,
  component: lazyRouteComponent(
    () => import("../features/files/imports/ImportListPage.tsx"),
    "ImportListPage",
  ),
})
const importTasks = createRoute({
  ...page,
  path: paths.importTasks,
  component: lazyRouteComponent(
    () => import("../features/files/imports/ImportTasksPage.tsx"),
    "ImportTasksPage",
  ),
})
const importData = createRoute({
  ...page,
  path: paths.importData,
  validateSearch: (search): { type?: string } =>
    typeof search.type === "string" && /^[0-9a-f]{24}$/.test(search.type) ? { type: search.type } : {},
  component: lazyRouteComponent(
    () => import("../features/files/imports/ImportDataPage.tsx"),
    "ImportDataPage",
  ),
})
const importOne = createRoute({
  ...page,
  path: paths.import,
  component: lazyRouteComponent(() => import("../features/files/imports/ImportPage.tsx"), "ImportPage"),
})
const exports = createRoute({
  ...page,
  path: paths.exports,
  component: lazyRouteComponent(() => import("../features/files/exports/ExportLogPage.tsx"), "ExportLogPage"),
})

/** What leads in and out: automations, webhooks, plugins, own tools, imports, exports. */
export const connectPages = [
  automations,
  automationNew,
  automation,
  webhooks,
  integrations,
  plugins,
  plugin,
  customModule,
  imports,
  importTasks,
  importData,
  importOne,
  exports,
] as const
