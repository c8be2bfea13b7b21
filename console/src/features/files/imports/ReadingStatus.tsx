import "../../../ui/StatusBadge.css"
import { Badge } from "@mantine/core"
import { type OtherSystem, otherSystems } from "#shared/other-systems.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { importMessages } from "./messages.ts"
import { readingMessages } from "./reading-messages.ts"
import type { Reading } from "./readings.queries.ts"

const colors = { reading: "blue", done: "pine", failed: "red", cancelled: "gray" } as const

export function ReadingStatus({ reading: { status } }: { reading: Reading }) {
  const t = useMessages(readingMessages)
  return <Badge color={colors[status]}>{t(status)}</Badge>
}

/** `Traccar: Devices` */
export function useReadingTitle(): (reading: Reading) => string {
  const t = useMessages(readingMessages)
  const tImport = useMessages(importMessages)
  return ({ system, collection }) =>
    t("title", {
      system: otherSystems[system as OtherSystem].name,
      list: tImport(`list-${collection}` as "list-devices"),
    })
}
