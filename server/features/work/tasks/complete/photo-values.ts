import type { FlowComponent } from "../../flows/index.ts"
import { type ComponentValues, isWebAddress, type Stage } from "./component-values.ts"

const maxPhotos = 1000
const maxKeyLength = 4_096

/**
 * Photos of a component: addresses under `<id>_<n>_url`, n from 0. A list of addresses under the component's
 * own id, or of `{category, url}`, is taken too and stored the same way, the category under `<id>_<n>_category`. What a
 * phone says of its own copy, `<id>_<n>_path` and `<id>_<n>_id`, is kept as it was sent and never opened. How
 * many there must be counts when the task is finished, or when they are demanded. Returns what is wrong.
 */
export function readPhotos(
  component: FlowComponent,
  sent: Readonly<Record<string, unknown>>,
  { stage, isNeeded }: { stage: Stage; isNeeded: boolean },
  values: ComponentValues,
): string | undefined {
  const own = sent[component.id]
  if (!isPhotoList(own)) return "must be addresses of photos"
  const photos = photosSent(component, sent)
  const kept = [...photos.values()].filter((address) => address !== null && address !== "")
  if (kept.some((address) => typeof address !== "string" || !isWebAddress(address)))
    return "must be addresses of photos"
  const categories = categoriesSent(component, sent)
  const unknown = [...categories.values()].find((category) => !isCategoryOf(component, category))
  if (unknown !== undefined) return `has no category ${String(unknown).slice(0, 100)}`
  for (const [key, address] of photos) values[key] = address === "" ? null : address
  for (const [key, value] of fileKeysSent(component, sent)) values[key] = value
  for (const [key, category] of categories) values[key] = category
  const [min, max] = [Number(component.min ?? 0), Number(component.max ?? 0)]
  if (isNeeded && kept.length < Math.max(1, min))
    return min > 1 ? `needs at least ${min} photos` : "is required"
  if (stage === "complete" && max > 0 && kept.length > max) return `can have at most ${max} photos`
  return undefined
}

/** Nothing, one address, or a list of addresses and of `{url}`. */
function isPhotoList(value: unknown): boolean {
  if (value === undefined || value === null || typeof value === "string") return true
  return (
    Array.isArray(value) &&
    value.every(
      (entry) =>
        entry === null || typeof entry === "string" || typeof (entry as { url?: unknown }).url === "string",
    )
  )
}

function photosSent(component: FlowComponent, sent: Readonly<Record<string, unknown>>): Map<string, unknown> {
  const photos = new Map<string, unknown>()
  const own = sent[component.id]
  const list = Array.isArray(own) ? own : typeof own === "string" && own !== "" ? [own] : []
  for (const [index, entry] of list.slice(0, maxPhotos).entries())
    photos.set(`${component.id}_${index}_url`, typeof entry === "object" ? (entry?.url ?? null) : entry)
  const prefix = `${component.id}_`
  for (const [key, value] of Object.entries(sent))
    if (key.startsWith(prefix) && /^\d{1,3}_url$/.test(key.slice(prefix.length))) photos.set(key, value)
  return photos
}

function fileKeysSent(
  component: FlowComponent,
  sent: Readonly<Record<string, unknown>>,
): [string, unknown][] {
  const prefix = `${component.id}_`
  return Object.entries(sent).filter(
    ([key, value]) =>
      key.startsWith(prefix) &&
      /^\d{1,3}_(path|id)$/.test(key.slice(prefix.length)) &&
      (value === null ||
        typeof value === "number" ||
        (typeof value === "string" && value.length <= maxKeyLength)),
  )
}

/** Which category each photo is of, for components that have categories; others ignore what is sent. */
function categoriesSent(
  component: FlowComponent,
  sent: Readonly<Record<string, unknown>>,
): Map<string, unknown> {
  const categories = new Map<string, unknown>()
  if (!Array.isArray(component.categories) || component.categories.length === 0) return categories
  const own = sent[component.id]
  for (const [index, entry] of (Array.isArray(own) ? own.slice(0, maxPhotos) : []).entries()) {
    const category =
      typeof entry === "object" ? (entry as { category?: unknown } | null)?.category : undefined
    if (category !== undefined) categories.set(`${component.id}_${index}_category`, category)
  }
  const prefix = `${component.id}_`
  for (const [key, value] of Object.entries(sent))
    if (key.startsWith(prefix) && /^\d{1,3}_category$/.test(key.slice(prefix.length)))
      categories.set(key, value === "" ? null : value)
  return categories
}

function isCategoryOf({ categories }: FlowComponent, category: unknown): boolean {
  return category === null || (Array.isArray(categories) && categories.includes(category))
}
