/** Every address of the console. The router and all links take them from here. */
export const paths = {
  signIn: "/sign-in",
  today: "/",
  tasks: "/tasks",
  task: "/tasks/$taskId",
  tracking: "/tracking",
  schedules: "/schedules",
  flows: "/flows",
  flow: "/flows/$flowId",
  hubs: "/hubs",
  people: "/people",
  imports: "/imports",
  import: "/imports/$importId",
  importTasks: "/imports/tasks",
  exports: "/exports",
  field: "/field",
  fieldTask: "/field/$taskId",
} as const
