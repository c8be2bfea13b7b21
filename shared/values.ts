/**
 * What stored values mean, whatever form they were sent in: numbers may be kept as numbers or as numeric text, chosen
 * options as a list or as text.
 */

/** A value as text: lists joined with ", ", items by their titles. Null when there is nothing to show. */
export function valueText(value: unknown): string | null {
  if (value === null || value === undefined || value === "") return null
  if (typeof value !== "object") return String(value)
  if (!Array.isArray(value)) return null
  const texts = value.map((entry) => valueText(isItem(entry) ? entry.title : entry))
  return texts.length === 0 || texts.includes(null) ? null : texts.join(", ")
}

function isItem(value: unknown): value is { title: unknown } {
  return typeof value === "object" && value !== null && "title" in value
}

const longestNumber = 400

function isDecimal(text: string): boolean {
  return text.length <= longestNumber && /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text.trim())
}

/** The number that a number or numeric text means; undefined for everything else. */
export function valueNumber(value: unknown): number | undefined {
  if (typeof value === "string" && !isDecimal(value)) return undefined
  if (typeof value !== "string" && typeof value !== "number") return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

/** `250` and `"250"` are the same, and `["A"]` and `"A"`. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (one === other || JSON.stringify(one) === JSON.stringify(other)) return true
  if (typeof one === "number" || typeof other === "number") {
    const number = valueNumber(one)
    return number !== undefined && number === valueNumber(other)
  }
  const [text, otherText] = [optionText(one), optionText(other)]
  return text !== undefined && text === otherText
}

/** Undefined for values that are neither text nor a list of texts. */
function optionText(value: unknown): string | undefined {
  if (value === null || value === undefined) return ""
  if (typeof value === "string")
    return value
      .split(",")
      .map((part) => part.trim())
      .join(", ")
  return Array.isArray(value) && value.every((entry) => typeof entry === "string")
    ? value.join(", ")
    : undefined
}

/** What decides the form of a component's values. */
interface Component {
  id: string
  component: string
  type?: string
  options?: readonly string[]
}

export function isNumberInput({ component, type }: Pick<Component, "component" | "type">): boolean {
  return component.toLowerCase() === "input" && /^(numeric|number|currency)$/i.test(type ?? "")
}

/** The options that a list or text names. Text may be one option with a comma in it, or several with commas between. */
export function chosenOptions({ options = [] }: Pick<Component, "options">, value: unknown): string[] {
  if (Array.isArray(value)) return value.map(String)
  if (typeof value !== "string" || value.trim() === "") return []
  const wanted = value.trim().toLowerCase()
  const whole = options.find((option) => option.toLowerCase() === wanted)
  return whole === undefined ? value.split(",").map((part) => part.trim()) : [whole]
}

/**
 * A value in the form that Fieldway writes itself, from forms, files, schedules and filled-in records: numbers for number
 * inputs, lists for selects. What does not fit stays as it is, for the API to refuse.
 */
export function typedValue(component: Component, value: unknown): unknown {
  if (typeof value !== "string" || value.trim() === "") return value
  if (component.component.toLowerCase() === "select") return chosenOptions(component, value)
  return isNumberInput(component) ? (valueNumber(value) ?? value) : value
}

/** The same for all values of a body; its other keys stay as they are. */
export function typedValues(
  components: readonly Component[],
  body: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const typed = { ...body }
  for (const component of components)
    if (component.id in typed) typed[component.id] = typedValue(component, typed[component.id])
  return typed
}
