import { Alert, Badge } from "@mantine/core"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { Automation } from "./automations.queries.ts"
import { automationMessages } from "./messages.ts"

/** As whom it acts, and why it does not where that person lacks what it needs. */
export function AutomationOwner({ automation }: { automation: Automation }) {
  const t = useMessages(automationMessages)
  const { dateTime } = useFormats()
  const { owner, pausedTime, pauseReason } = automation
  return (
    <>
      {pauseReason ? (
        <Alert color="yellow" mb="md">
          {t(pauseReason === "membership" ? "ownerGone" : "ownerLacks", { since: dateTime(pausedTime) })}
        </Alert>
      ) : null}
      <p className="quiet" style={{ marginBottom: "var(--mantine-spacing-md)" }}>
        {owner ? t("actsAs", { name: owner.name, email: owner.email }) : t("noOwner")}
      </p>
    </>
  )
}

export function PausedBadge({ automation }: { automation: Automation }) {
  const t = useMessages(automationMessages)
  return automation.isActive && automation.pauseReason ? (
    <Badge color="yellow">{t("pausedBadge")}</Badge>
  ) : null
}
