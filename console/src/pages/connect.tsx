import { createRoute } from "@tanstack/react-router"
import { readDeliverySearch } from "../features/extensions/webhooks/delivery-search.ts"
import { paths } from "../paths.ts"
import { page, pageRoute } from "./signed-in.tsx"

const automations = createRoute({
  ...page(
    paths.automations,
    () => import("../features/extensions/automations/AutomationsPage.tsx"),
    "AutomationsPage",
    "view/automation",
  ),
  validateSearch: (search): { view?: "log" } => (search.view === "log" ? { view: "log" } : {}),
})
const automationNew = pageRoute(
  paths.automationNew,
  () => import("../features/extensions/automations/AutomationPage.tsx"),
  "NewAutomationPage",
  "add/automation",
)
const automation = pageRoute(
  paths.automation,
  () => import("../features/extensions/automations/AutomationPage.tsx"),
  "AutomationPage",
  "view/automation",
)
const webhooks = createRoute({
  ...page(
    paths.webhooks,
    () => import("../features/extensions/webhooks/WebhooksPage.tsx"),
    "WebhooksPage",
    "view/automation",
  ),
  validateSearch: readDeliverySearch,
})
const integrations = pageRoute(
  paths.integrations,
  () => import("../features/extensions/integrations/IntegrationsPage.tsx"),
  "IntegrationsPage",
  "view/integration",
  "edit/organization",
)
const authorize = createRoute({
  ...page(paths.authorize, () => import("../features/people/applications/ConsentPage.tsx"), "ConsentPage"),
  validateSearch: (search): { request?: string } =>
    typeof search.request === "string" ? { request: search.request } : {},
})
const plugins = pageRoute(
  paths.plugins,
  () => import("../features/extensions/plugins/PluginsPage.tsx"),
  "PluginsPage",
  "edit/organization",
)
const plugin = pageRoute(
  paths.plugin,
  () => import("../features/extensions/plugins/PluginPage.tsx"),
  "PluginPage",
)
const customModule = pageRoute(
  paths.customModule,
  () => import("../features/extensions/custom-modules/CustomModulePage.tsx"),
  "CustomModulePage",
)
const imports = pageRoute(
  paths.imports,
  () => import("../features/files/imports/ImportListPage.tsx"),
  "ImportListPage",
  "import/data",
)
const isId = (text: unknown): text is string => typeof text === "string" && /^[0-9a-f]{24}$/.test(text)
const importTasks = createRoute({
  ...page(
    paths.importTasks,
    () => import("../features/files/imports/ImportTasksPage.tsx"),
    "ImportTasksPage",
    "import/data",
  ),
  validateSearch: ({ reading, check }): { reading?: string; check?: string } => ({
    ...(isId(reading) ? { reading } : {}),
    ...(isId(check) ? { check } : {}),
  }),
})
const reading = pageRoute(
  paths.reading,
  () => import("../features/files/imports/ReadingPage.tsx"),
  "ReadingPage",
  "import/data",
)
const importData = createRoute({
  ...page(
    paths.importData,
    () => import("../features/files/imports/ImportDataPage.tsx"),
    "ImportDataPage",
    "import/data",
  ),
  validateSearch: ({ type, reading, check }): { type?: string; reading?: string; check?: string } => ({
    ...(isId(type) ? { type } : {}),
    ...(isId(check) ? { check } : {}),
    ...(isId(reading) ? { reading } : {}),
  }),
})
const importOne = pageRoute(
  paths.import,
  () => import("../features/files/imports/ImportPage.tsx"),
  "ImportPage",
)
const exports = pageRoute(
  paths.exports,
  () => import("../features/files/exports/ExportLogPage.tsx"),
  "ExportLogPage",
  "export/task",
  "view/data",
)

/** What leads in and out: automations, webhooks, plugins, own tools, imports, exports. */
export const connectPages = [
  automations,
  automationNew,
  automation,
  webhooks,
  integrations,
  authorize,
  plugins,
  plugin,
  customModule,
  imports,
  importTasks,
  importData,
  reading,
  importOne,
  exports,
] as const
