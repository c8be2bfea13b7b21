import type { SampleOperation } from "./sample-operation.ts"

/** Pages that nobody needs to sign in for. */
export const publicPages: Readonly<Record<string, string>> = {
  "sign-in": "/sign-in",
  register: "/register",
  verify: "/verify?email=new@northside.example&code=0123456789abcdef0123456789abcdef",
  "forgot-password": "/forgot-password",
  "reset-password": "/reset-password?email=new@northside.example&token=0123456789abcdef0123456789abcdef",
  "accept-invitation": "/accept-invitation?code=0123456789abcdef0123456789abcdef",
  "shared-position": "/shared-position?token=none",
}

/** Every page of the console that draws no map, by its name in tests and screenshots. */
export const plainPages = (sample: SampleOperation): Readonly<Record<string, string>> => ({
  today: "/",
  tasks: "/tasks",
  "tasks-board": "/tasks?view=board",
  "tasks-calendar": "/tasks?view=calendar",
  "tasks-gallery": "/tasks?view=gallery",
  routes: "/routes",
  "route-profiles": "/routes/profiles",
  schedules: "/schedules",
  flows: "/flows",
  flow: `/flows/${sample.flowId}`,
  "flow-builder": `/flows/${sample.flowId}/edit`,
  data: "/data",
  "data-new": "/data/new",
  "data-edit": `/data/${sample.dataTypeId}/edit`,
  records: `/data/${sample.dataTypeId}`,
  vehicles: "/vehicles",
  people: "/people",
  imports: "/imports",
  "import-tasks": "/imports/tasks",
  "import-data": "/imports/data",
  exports: "/exports",
  account: "/account",
  roles: "/settings/roles",
  teams: "/settings/teams",
  organization: "/settings/organization",
  policies: "/settings/passwords",
  devices: "/settings/devices",
  tokens: "/settings/tokens",
  audit: "/settings/audit",
  trash: "/settings/trash",
  outbox: "/settings/outbox",
  field: "/field",
})

/** Pages with a map: photographed, but too slow where a map is drawn by software to be opened in each test run. */
export const mapPages = (sample: SampleOperation): Readonly<Record<string, string>> => ({
  "tasks-map": "/tasks?view=map",
  task: `/tasks?task=${sample.taskIds[9]}`,
  tracking: "/tracking",
  "tracking-day": `/tracking?person=${sample.personId}&day=${sample.day}`,
  "route-areas": "/routes/areas",
  hubs: "/hubs",
  "public-task": `/tracking/${sample.taskIds[9]}`,
})
