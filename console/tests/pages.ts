import type { SampleOperation } from "./sample/operation.ts"

/** Pages that require no sign-in. */
export const publicPages = (sample: SampleOperation): Readonly<Record<string, string>> => ({
  "sign-in": "/sign-in",
  register: "/register",
  verify: "/verify?email=new@northside.example&code=0123456789abcdef0123456789abcdef",
  "forgot-password": "/forgot-password",
  "reset-password": "/reset-password?email=new@northside.example&token=0123456789abcdef0123456789abcdef",
  "accept-invitation": `/accept-invitation?code=${sample.invitationCode}`,
  "not-found": "/none",
})

/** Every page of the console that draws no map, by its name in tests and screenshots. */
export const plainPages = (sample: SampleOperation): Readonly<Record<string, string>> => ({
  today: "/",
  tasks: "/tasks",
  "tasks-board": "/tasks?view=board",
  "tasks-calendar": "/tasks?view=calendar",
  "tasks-gallery": "/tasks?view=gallery",
  alerts: "/alerts",
  routes: "/routes",
  "route-profiles": "/routes/profiles",
  schedules: "/schedules",
  flows: "/flows",
  flow: `/flows/${sample.flowId}`,
  "flow-new": "/flows/new",
  "flow-builder": `/flows/${sample.flowId}/edit`,
  data: "/data",
  "data-new": "/data/new",
  "data-edit": `/data/${sample.dataTypeId}/edit`,
  records: `/data/${sample.dataTypeId}`,
  vehicles: "/vehicles",
  fleet: "/fleet",
  "fleet-vehicle": `/fleet/vehicle/${sample.vehicleId}`,
  "fleet-equipment": `/fleet/equipment/${sample.equipmentId}`,
  people: "/people",
  imports: "/imports",
  import: `/imports/${sample.importId}`,
  "import-tasks": "/imports/tasks",
  "import-data": "/imports/data",
  exports: "/exports",
  reports: "/reports?compare=previous",
  "reports-vehicles": "/reports?report=vehicles",
  dashboard: "/reports/dashboard",
  automations: "/automations",
  "automations-log": "/automations?view=log",
  "automation-new": "/automations/new",
  automation: `/automations/${sample.automationId}`,
  webhooks: `/webhooks?webhook=${sample.webhookId}`,
  integrations: "/integrations",
  plugins: "/plugins",
  plugin: `/plugins/${sample.pluginId}`,
  "custom-module": `/modules/${sample.moduleId}`,
  account: "/account",
  roles: "/settings/roles",
  teams: "/settings/teams",
  organization: "/settings/organization",
  policies: "/settings/passwords",
  devices: "/settings/devices",
  tokens: "/settings/tokens",
  maps: "/settings/maps",
  activity: "/activity",
  audit: "/settings/audit",
  trash: "/settings/trash",
  outbox: "/settings/outbox",
})

/** The pages of a field worker's phone. */
export const fieldPages = (sample: SampleOperation): Readonly<Record<string, string>> => ({
  field: "/field",
  "field-phone": "/field/phone",
  "field-task": `/field/${sample.openTaskId}`,
})

/** Pages with a map. */
export const mapPages = (sample: SampleOperation): Readonly<Record<string, string>> => ({
  "tasks-map": "/tasks?view=map",
  task: `/tasks?task=${sample.taskId}`,
  dispatch: "/dispatch",
  "dispatch-past": `/dispatch?at=${sample.day}T12:00:00Z`,
  tracking: "/tracking",
  "tracking-day": `/tracking?person=${sample.personId}&day=${sample.day}`,
  "tracking-month": `/tracking?person=${sample.personId}&day=${sample.day}&days=31`,
  "route-areas": "/routes/areas",
  geofences: "/geofences",
  moment: "/moment",
  hubs: "/hubs",
  route: `/routes/${sample.resultId}`,
  "public-task": `/tracking/${sample.openTaskId}`,
})

/** The pages of a planner's day. */
export const plannersPages: Readonly<Record<string, string>> = {
  today: "/",
  tasks: "/tasks",
  "tasks-calendar": "/tasks?view=calendar",
  routes: "/routes",
  schedules: "/schedules",
  vehicles: "/vehicles",
  people: "/people",
  flows: "/flows",
  roles: "/settings/roles",
}
