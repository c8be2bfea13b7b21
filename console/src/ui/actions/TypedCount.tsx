import { TextInput } from "@mantine/core"
import { useMessages } from "../../i18n/language.tsx"
import { defineMessages } from "../../i18n/messages.ts"
import { bindText } from "../forms/bind.ts"

const messages = defineMessages("console.typedCount", { typeCount: "To delete so many, type {count}" })

/** More than so many are deleted only after their number was typed. */
const maxWithoutTyping = 100

/** Whether deleting so many is confirmed by what was typed. */
export function isTypedCount(typed: string, count: number): boolean {
  return count <= maxWithoutTyping || typed.replace(/\D/g, "") === String(count)
}

/** Asks for the number of objects where there are many. */
export function TypedCount(props: { count: number; value: string; onChange(value: string): void }) {
  const { count, value, onChange } = props
  const t = useMessages(messages)
  if (count <= maxWithoutTyping) return null
  return <TextInput label={t("typeCount", { count })} inputMode="numeric" {...bindText(value, onChange)} />
}
