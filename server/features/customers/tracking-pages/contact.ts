import { type FlowPage, inputTypeOf } from "../../work/flows/index.ts"
import type { TrackingSettings } from "./settings.ts"

/** Who receives a task: what its component values say about the customer. */
export interface CustomerContact {
  name: string | null
  /** As it was entered. */
  phone: string | null
  email: string | null
  language: string | null
}

const idPatterns = {
  name: /^(customer|receiver|recipient|contact|client)_?(name|person)?$|^(name|nama)(_?(customer|penerima|pelanggan))?$/i,
  phone: /phone|mobile|whatsapp|telepon|^(no_?)?(hp|telp)$/i,
  email: /e-?mail|surel/i,
  language: /^(language|bahasa|locale|lang)$/i,
} as const

const emailPattern =
  /^[^\s@<>"',;:\\[\]()]{1,64}@[^\s@<>"',;:\\[\]().]{1,63}(?:\.[^\s@<>"',;:\\[\]().]{1,63})+$/

/** The customer's details of a task: from the components that the settings name, else from those recognized by id. */
export function contactOf(
  values: Readonly<Record<string, unknown>>,
  pages: readonly FlowPage[],
  fields: TrackingSettings["fields"],
): CustomerContact {
  const components = pages.flatMap((page) => page.components)
  const phoneIds = components
    .filter((component) => component.component === "input" && inputTypeOf(component) === "PhoneNumber")
    .map(({ id }) => id)
  const find = (kind: keyof typeof idPatterns, isFit: (text: string) => boolean, first: string[] = []) => {
    const named = fields[kind]
    const recognized = Object.keys(values).filter((id) => idPatterns[kind].test(id))
    const ids = named === "" ? [...first, ...recognized] : [named]
    return ids.map((id) => textOf(values[id])).find((text) => text !== null && isFit(text)) ?? null
  }
  return {
    name: find("name", () => true),
    phone: find("phone", (text) => text.replace(/\D/g, "").length >= 6, phoneIds),
    email: find("email", (text) => emailPattern.test(text))?.toLowerCase() ?? null,
    language:
      find("language", (text) => /^[a-z]{2,3}([-_]|$)/i.test(text))
        ?.slice(0, 2)
        .toLowerCase() ?? null,
  }
}

export function isEmailAddress(text: string): boolean {
  return emailPattern.test(text)
}

function textOf(value: unknown): string | null {
  const single: unknown = Array.isArray(value) ? value[0] : value
  if (typeof single !== "string" && typeof single !== "number") return null
  const text = String(single).trim()
  return text === "" ? null : text.slice(0, 255)
}

/** A telephone number as providers want it, +6281234567; undefined when it cannot be one. */
export function internationalNumber(phone: string, countryPhoneCode: string | undefined): string | undefined {
  const plain = phone.replace(/[\s().-]/g, "")
  const digits = plain.replace(/^\+|^00/, "")
  if (!/^\d{5,17}$/.test(digits)) return undefined
  if (plain.startsWith("+") || plain.startsWith("00")) return `+${digits}`
  const country = countryPhoneCode?.replace(/\D/g, "")
  if (!country) return digits.length >= 10 && !digits.startsWith("0") ? `+${digits}` : undefined
  if (plain.startsWith("0")) return `+${country}${digits.slice(1)}`
  return digits.startsWith(country) && digits.length > 9 ? `+${digits}` : `+${country}${digits}`
}
