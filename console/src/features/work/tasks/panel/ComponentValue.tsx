import { Anchor } from "@mantine/core"
import { isNumberInput, valueNumber } from "#shared/values.ts"
import { useFormats } from "../../../../i18n/formats.ts"
import { isOwnFile, localAddress } from "../../flows/fields/kept-files.ts"
import { Recording } from "../../flows/fields/VoiceField.tsx"

interface Shown {
  component: string
  type?: string
  title?: string
}

interface ComponentValueProps {
  component: Shown
  value: unknown
  /** The unit that was chosen for a number. */
  unit?: unknown
}

/** The value of a component, as its kind is best looked at: pictures as pictures, lists as lines. */
export function ComponentValue({ component, value, unit }: ComponentValueProps) {
  const formats = useFormats()
  const kind = component.component.toLowerCase()
  if (kind === "photo" || kind === "signature") {
    const addresses = (Array.isArray(value) ? value : [value]).filter(
      (address) => typeof address === "string",
    )
    return (
      <span className="photos" data-kind={kind}>
        {addresses.map((address, index) =>
          isOwnFile(address) ? (
            <a key={address} href={localAddress(address)} target="_blank" rel="noreferrer">
              <img
                src={localAddress(address)}
                alt={`${component.title ?? kind} ${index + 1}`}
                loading="lazy"
              />
            </a>
          ) : (
            <code key={address}>{address}</code>
          ),
        )}
      </span>
    )
  }
  if (kind === "voice" && typeof value === "string" && isOwnFile(value))
    return <Recording address={value} title={component.title ?? kind} />
  const number = kind === "timer" || isNumberInput(component) ? valueNumber(value) : undefined
  if (kind === "timer" && number !== undefined) return <>{clockText(number)}</>
  if (Array.isArray(value) && value.some((entry) => typeof entry === "object")) {
    return (
      <ul className="value-list">
        {value.map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a list have no identity of their own
          <li key={index}>{lineText(entry)}</li>
        ))}
      </ul>
    )
  }
  if (Array.isArray(value)) return <>{value.join(", ")}</>
  if (number !== undefined)
    return <>{typeof unit === "string" ? `${formats.number(number)} ${unit}` : formats.number(number)}</>
  if (typeof value === "number") return <>{formats.number(value)}</>
  if (typeof value === "boolean") return <>{value ? "✓" : "✗"}</>
  if (typeof value === "object" && value !== null) return <code>{JSON.stringify(value)}</code>
  const text = String(value)
  if (/^https?:\/\//.test(text))
    return (
      <Anchor href={text} target="_blank" rel="noreferrer" size="sm">
        {text}
      </Anchor>
    )
  const type = component.type?.toLowerCase()
  if (type === "datetime") return <>{formats.dateTime(text)}</>
  if (type === "date") return <>{formats.day(text)}</>
  if (type === "geolocation") return <bdi dir="ltr">{coordinateText(text)}</bdi>
  if (type === "phonenumber") return <bdi dir="ltr">{text}</bdi>
  return <bdi>{text}</bdi>
}

/** Seconds as hours, minutes and seconds. */
function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.round(seconds) % 60]
  return parts.map((part) => String(part).padStart(2, "0")).join(":")
}

/** A metre is enough to read: five decimals of a degree. */
function coordinateText(text: string): string {
  const parts = text.split(",").map(Number)
  return parts.length === 2 && parts.every(Number.isFinite)
    ? parts.map((degrees) => degrees.toFixed(5)).join(", ")
    : text
}

function lineText(entry: unknown): string {
  if (typeof entry !== "object" || entry === null) return String(entry)
  const { title, content, qty, qtyProcessed, unitPrice } = entry as Record<string, unknown>
  const amount =
    qty === undefined
      ? ""
      : ` × ${String(qty)}${qtyProcessed === undefined ? "" : ` (${String(qtyProcessed)})`}`
  const price = unitPrice === undefined || unitPrice === null ? "" : ` à ${String(unitPrice)}`
  return `${String(title ?? content ?? "")}${amount}${price}`
}
