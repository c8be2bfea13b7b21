/**
 * Texts with placeholders: `{{name}}`, `{{task.floor}}` for a component of the task, `{{driver|our team}}` with what is
 * written when there is no value. Nothing else is special: there are no conditions, functions or paths, so that a template
 * reaches exactly the values that it is given.
 */
const placeholder = /\{\{\s*([A-Za-z][\w.-]{0,99})\s*(?:\|([^{}]{0,200}))?\}\}/g

export function fillTemplate(template: string, values: ReadonlyMap<string, string>): string {
  return template.replace(placeholder, (_whole, name: string, otherwise: string | undefined) => {
    const value = values.get(name)
    return value === undefined || value === "" ? (otherwise ?? "").trim() : value
  })
}

export function placeholdersIn(template: string): string[] {
  return [...new Set([...template.matchAll(placeholder)].map(([, name = ""]) => name))]
}

/** Names that every message can use; `task.<id>` is a component of the task's flow. */
export const messageFields = [
  "name",
  "organization",
  "title",
  "reference",
  "date",
  "window",
  "windowStart",
  "windowEnd",
  "eta",
  "etaFrom",
  "etaTo",
  "etaWindow",
  "stopsBefore",
  "driver",
  "reason",
  "link",
  "optOutLink",
  "reportLink",
  "phone",
  "email",
  "text",
] as const

export function unknownFields(template: string): string[] {
  return placeholdersIn(template).filter(
    (name) => !name.startsWith("task.") && !messageFields.some((known) => known === name),
  )
}
