import { Button, Group, Text } from "@mantine/core"
import { IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react"
import { useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { defineMessages } from "../../i18n/messages.ts"
import { useNow } from "../../ui/now.ts"

const messages = defineMessages({
  en: { start: "Start", stop: "Stop", reset: "Again from zero" },
  id: { start: "Mulai", stop: "Berhenti", reset: "Ulang dari nol" },
})

/** Seconds of work, measured by starting and stopping; several stretches add up. */
export function TimerField({
  title,
  value,
  onChange,
}: {
  title: string
  value: unknown
  onChange(value: unknown): void
}) {
  const t = useMessages(messages)
  const now = useNow(1_000)
  const [startedAt, setStartedAt] = useState<number>()
  const kept = typeof value === "number" ? value : 0
  const seconds = kept + (startedAt === undefined ? 0 : Math.max(0, Math.round((now - startedAt) / 1000)))
  const toggle = () => {
    if (startedAt === undefined) setStartedAt(Date.now())
    else {
      onChange(kept + Math.round((Date.now() - startedAt) / 1000))
      setStartedAt(undefined)
    }
  }
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return (
    <div>
      <Text size="sm" fw={550} mb={6}>
        {title}
      </Text>
      <Group gap="sm">
        <Text size="xl" fw={600} style={{ fontVariantNumeric: "tabular-nums" }}>
          {clock.map((part) => String(part).padStart(2, "0")).join(":")}
        </Text>
        <Button
          variant={startedAt === undefined ? "light" : "filled"}
          leftSection={startedAt === undefined ? <IconPlayerPlay size={16} /> : <IconPlayerStop size={16} />}
          onClick={toggle}
        >
          {startedAt === undefined ? t("start") : t("stop")}
        </Button>
        {kept > 0 && startedAt === undefined ? (
          <Button variant="subtle" color="gray" onClick={() => onChange(null)}>
            {t("reset")}
          </Button>
        ) : null}
      </Group>
    </div>
  )
}
