import { Button, Group, Text } from "@mantine/core"
import { IconPlayerPlay, IconPlayerStop } from "@tabler/icons-react"
import { useEffect, useRef } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { defineMessages } from "../../../../i18n/messages.ts"
import { useNow } from "../../../../ui/now.ts"
import type { FlowComponent } from "../flows.queries.ts"
import { isRunning, secondsOf } from "./stopwatch.ts"

const messages = defineMessages("work.timerField", { stop: "Stop", reset: "Reset" })

/**
 * Seconds of work, measured by starting and stopping; several intervals add up. A running timer is stored with
 * what was entered, so that it runs on while another page is open or the phone reloads.
 */
export function TimerField({
  component,
  value,
  onChange,
}: {
  component: FlowComponent
  value: unknown
  onChange(value: unknown): void
}) {
  const t = useMessages(messages)
  const now = useNow(1_000)
  const isOn = isRunning(value)
  const seconds = secondsOf(value, now)
  const start = () => onChange({ seconds, since: Date.now() })
  const begin = useRef(component.autoStart === true && !isOn && seconds === 0 ? start : undefined)
  useEffect(() => {
    begin.current?.()
    begin.current = undefined
  }, [])
  const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return (
    <div>
      <Text size="sm" fw={550} mb={6}>
        {component.title ?? component.id}
      </Text>
      <Group gap="sm">
        <Text size="xl" fw={600} style={{ fontVariantNumeric: "tabular-nums" }} role="timer">
          {clock.map((part) => String(part).padStart(2, "0")).join(":")}
        </Text>
        {isOn && component.unpausable === true ? null : (
          <Button
            size="md"
            variant={isOn ? "filled" : "light"}
            leftSection={isOn ? <IconPlayerStop size={16} /> : <IconPlayerPlay size={16} />}
            onClick={() => (isOn ? onChange(secondsOf(value, Date.now())) : start())}
          >
            {isOn ? t("stop") : t("start")}
          </Button>
        )}
        {seconds > 0 && !isOn && component.reset !== false ? (
          <Button variant="subtle" color="gray" onClick={() => onChange(null)}>
            {t("reset")}
          </Button>
        ) : null}
      </Group>
    </div>
  )
}
