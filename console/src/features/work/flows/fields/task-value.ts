import type { FlowComponent } from "../flows.queries.ts"

/**
 * The value of a task for a component. Photos are stored one by one under `<id>_<number>_url`; everything else under the
 * component's id.
 */
export function taskValue(task: Readonly<Record<string, unknown>>, component: FlowComponent): unknown {
  if (component.component.toLowerCase() !== "photo") return task[component.id]
  const prefix = `${component.id}_`
  const photos = Object.entries(task)
    .filter(
      ([key, value]) => key.startsWith(prefix) && /^\d{1,3}_url$/.test(key.slice(prefix.length)) && value,
    )
    .toSorted(([one], [other]) => one.localeCompare(other, "en", { numeric: true }))
    .map(([, value]) => value)
  return photos.length > 0 ? photos : task[component.id]
}
