import { taskFields } from "../task-fields.ts"

/** The title of a field of tasks in one language's titles; in English without them: `startTime` is `Start Time`. */
export function titleOf(name: string, titles: Readonly<Record<string, string>> | undefined): string {
  if (titles && Object.hasOwn(titles, name)) return titles[name] ?? name
  return (Object.hasOwn(taskFields, name) ? taskFields[name]?.en : undefined) ?? words(name)
}

function words(name: string): string {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/_/g, " ")
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}
