import { Alert, PasswordInput, Select, Switch, Textarea, TextInput } from "@mantine/core"
import { IconInfoCircle } from "@tabler/icons-react"
import { retryOf, webhookRetryNames } from "#shared/webhook-retries.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { bindChecked, bindText } from "../../../ui/forms/bind.ts"
import type { Draft } from "./automation-draft.ts"
import type { Automation } from "./automations.queries.ts"
import { automationMessages } from "./messages.ts"
import { PairRows } from "./PairRows.tsx"
import { RecordFields } from "./RecordFields.tsx"
import type { SourceField } from "./ReferenceInput.tsx"
import { SigningSecret } from "./SigningSecret.tsx"
import type { Catalogue } from "./source-fields.ts"
import { TaskFields } from "./TaskFields.tsx"

export interface ActionFieldsProps {
  draft: Draft
  catalogue: Catalogue
  /** Fields of what happened, and what references to them start with. */
  source: { prefix: "$refFlow." | "$refData."; fields: readonly SourceField[] }
  /** Undefined for a new one. */
  automation: Automation | undefined
  change(part: Partial<Draft>): void
}

/** What the chosen action needs. */
export function ActionFields(props: ActionFieldsProps) {
  switch (props.draft.action) {
    case "webhook":
      return <WebhookFields {...props} />
    case "createTask":
    case "createAssignTask":
    case "moveTask":
    case "assignTask":
      return <TaskFields {...props} />
    case "createOrUpdateDataSource":
      return <RecordFields {...props} />
    case "notification":
      return <NotificationFields {...props} />
  }
}

function WebhookFields({ draft, automation, change }: ActionFieldsProps) {
  const t = useMessages(automationMessages)
  return (
    <>
      <TextInput
        label={t("url")}
        description={t("urlHint")}
        required
        type="url"
        placeholder="https://"
        {...bindText(draft.url, (url) => change({ url }))}
      />
      <PairRows
        pairs={draft.headers}
        onChange={(headers) => change({ headers })}
        add={t("addHeader")}
        fieldLabel={t("header")}
      />
      <Select
        label={t("format")}
        data={[
          { value: "record", label: t("formatRecord") },
          { value: "standard", label: t("formatStandard") },
        ]}
        value={draft.format}
        allowDeselect={false}
        onChange={(format) => format && change({ format: format as Draft["format"] })}
      />
      <Switch
        label={t("signed")}
        disabled={draft.format === "standard"}
        {...bindChecked(draft.isSigned || draft.format === "standard", (checked) =>
          change({ isSigned: checked }),
        )}
      />
      {automation ? <SigningSecret automation={automation} /> : null}
      <Select
        label={t("retry")}
        data={webhookRetryNames.map((value) => ({ value, label: t(value) }))}
        value={draft.retry}
        allowDeselect={false}
        onChange={(retry) => change({ retry: retryOf(retry) })}
      />
      <Switch
        label={t("pauseWhenDead")}
        description={t("pauseWhenDeadHint")}
        {...bindChecked(draft.pauseWhenDead, (pauseWhenDead) => change({ pauseWhenDead }))}
      />
    </>
  )
}

function NotificationFields({ draft, catalogue, change }: ActionFieldsProps) {
  const t = useMessages(automationMessages)
  const firstPage = catalogue.flows.find(({ _id }) => _id === draft.flowId)?.pages[0]?.components ?? []
  return (
    <>
      <Alert icon={<IconInfoCircle size={18} />}>{t("sender")}</Alert>
      <Select
        label={t("receiver")}
        placeholder={t("choose")}
        required
        data={firstPage.map(({ id, title }) => ({ value: String(id), label: String(title || id) }))}
        value={draft.receiver || null}
        onChange={(receiver) => change({ receiver: receiver ?? "" })}
      />
      <PasswordInput
        label={t("secretKey")}
        required
        autoComplete="off"
        {...bindText(draft.secretKey, (secretKey) => change({ secretKey }))}
      />
      <Textarea
        label={t("message")}
        description={t("messageHint")}
        required
        autosize
        minRows={2}
        {...bindText(draft.message, (message) => change({ message }))}
      />
    </>
  )
}
