import { Code, Group, Text } from "@mantine/core"
import { IconRefresh } from "@tabler/icons-react"
import { useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { CopyText } from "../../../ui/CopyText.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { type Automation, rotateSecret } from "./automations.queries.ts"
import { automationMessages } from "./messages.ts"

/** The secret that the receiver checks signatures with, and its rotation: for a day the one before it signs as well. */
export function SigningSecret({ automation }: { automation: Automation }) {
  const t = useMessages(automationMessages)
  const formats = useFormats()
  const { may } = useSession()
  const [isAsking, setAsking] = useState(false)
  const rotate = useAction(() => rotateSecret(automation._id), {
    refreshes: [["automations"]],
    done: () => t("rotated"),
  })
  const { signingSecret, previousSigningSecretUntil: until } = automation.automationDetails
  if (typeof signingSecret !== "string" || signingSecret === "") return null
  return (
    <div>
      <div className="quiet automation-label">{t("signingSecret")}</div>
      <Group gap="xs">
        <Code style={{ overflowWrap: "anywhere" }}>{signingSecret}</Code>
        <CopyText text={signingSecret} size="compact-sm" />
        {may("edit/automation") ? (
          <ActionButton
            icon={IconRefresh}
            label={t("rotate")}
            size="compact-sm"
            variant="default"
            loading={rotate.isPending}
            onClick={() => setAsking(true)}
          />
        ) : null}
      </Group>
      {typeof until === "string" ? (
        <Text size="xs" className="quiet">
          {t("previousUntil", { time: formats.dateTime(until) })}
        </Text>
      ) : null}
      <FormError error={rotate.error} />
      <ConfirmDialog
        isOpen={isAsking}
        title={t("rotateTitle")}
        text={t("rotateText")}
        confirm={t("rotate")}
        onConfirm={() => rotate.mutate()}
        onClose={() => setAsking(false)}
      />
    </div>
  )
}
