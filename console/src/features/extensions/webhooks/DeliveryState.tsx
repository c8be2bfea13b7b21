import { Alert, Badge } from "@mantine/core"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { Automation } from "../automations/automations.queries.ts"
import { webhookMessages } from "./messages.ts"

/** Whether calls go out. */
export function DeliveryBadge({ webhook: { isActive, delivery } }: { webhook: Automation }) {
  const t = useMessages(webhookMessages)
  if (!isActive) return <Badge color="gray">{t("off")}</Badge>
  if (delivery?.isPaused) return <Badge color="yellow">{t("paused")}</Badge>
  return delivery?.failingSince ? (
    <Badge color="red">{t("failing")}</Badge>
  ) : (
    <Badge color="pine">{t("running")}</Badge>
  )
}

/** Why nothing goes out, since when, and what waits meanwhile. */
export function DeliveryNotice({ webhook: { isActive, delivery } }: { webhook: Automation }) {
  const t = useMessages(webhookMessages)
  const { dateTime } = useFormats()
  if (!isActive)
    return (
      <Alert color="gray" mb="md">
        {t("offText")}
      </Alert>
    )
  if (!delivery || (!delivery.isPaused && !delivery.failingSince)) return null
  const waiting = delivery.waiting > 0 ? ` ${t("waiting", { count: delivery.waiting })}` : ""
  if (!delivery.isPaused)
    return (
      <Alert color="red" mb="md">
        {t("failingText", { count: delivery.failures, since: dateTime(delivery.failingSince) })}
        {waiting}
      </Alert>
    )
  const reasons = { dead: "deadText", gone: "goneText", person: "heldText", owner: "ownerText" } as const
  const reason = reasons[delivery.pauseReason ?? "person"]
  return (
    <Alert color="yellow" mb="md">
      {t(reason, { since: dateTime(delivery.pausedTime) })} {t("pausedText")}
      {waiting}
    </Alert>
  )
}
