import { FormFoot } from "../../../ui/forms/FormDialog.tsx"
import "./automations.css"
import { Group, Select, Switch, Text, TextInput } from "@mantine/core"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindChecked, bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { ActionFields } from "./ActionFields.tsx"
import {
  type ActionName,
  actionsAfter,
  type Draft,
  emptyDraft,
  eventKinds,
  toBody,
  toDraft,
} from "./automation-draft.ts"
import { type Automation, saveAutomation } from "./automations.queries.ts"
import { automationMessages } from "./messages.ts"
import { useCatalogue, useTaskConditionFields } from "./source-fields.ts"
import { WhenFields } from "./WhenFields.tsx"

export interface AutomationFormProps {
  /** Undefined for a new one. */
  automation: Automation | undefined
  isReadOnly: boolean
  onSaved(automation: Automation): void
  onCancel(): void
}

/** When, only if, then: an automation as a sentence. */
export function AutomationForm({ automation, isReadOnly, onSaved, onCancel }: AutomationFormProps) {
  const t = useMessages(automationMessages)
  const catalogue = useCatalogue()
  const [draft, setDraft] = useState<Draft>(() => (automation ? toDraft(automation) : emptyDraft))
  const [isChanged, setChanged] = useState(false)
  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }))
    setChanged(true)
  }
  const save = useAction(() => saveAutomation(automation?._id, toBody(draft, catalogue.flowName)), {
    refreshes: [["automations"]],
    onDone: ({ data }) => {
      setChanged(false)
      onSaved(data)
    },
  })
  useLeaveWarning(isChanged && !save.isRefreshing)
  const kind = eventKinds[draft.event]
  const fields =
    kind === "task"
      ? catalogue.fieldsOfFlow(draft.flowId)
      : kind === "data"
        ? catalogue.fieldsOfType(draft.dataTypeId)
        : []
  const taskConditions = useTaskConditionFields(catalogue, draft.flowId)
  const source = { prefix: kind === "data" ? "$refData." : "$refFlow.", fields } as const
  return (
    <Form onSubmit={() => save.mutate()} className="automation-form">
      <fieldset disabled={isReadOnly} className="automation-fields">
        <Group align="end" wrap="nowrap">
          <TextInput
            label={t("name")}
            required
            maxLength={200}
            style={{ flex: 1 }}
            {...bindText(draft.name, (name) => change({ name }))}
          />
          <Switch
            label={t("active")}
            pb={8}
            {...bindChecked(draft.isActive, (isActive) => change({ isActive }))}
          />
        </Group>
        <WhenFields
          draft={draft}
          catalogue={catalogue}
          fields={kind === "task" ? taskConditions : fields}
          isNew={automation === undefined}
          change={change}
        />
        <fieldset className="automation-step">
          <legend>{t("thenDo")}</legend>
          <Select
            label={t("action")}
            data={actionsAfter(draft.event).map((action) => ({ value: action, label: t(action) }))}
            value={draft.action}
            allowDeselect={false}
            disabled={automation !== undefined}
            onChange={(action) => action && change({ action: action as ActionName })}
          />
          {automation ? (
            <Text size="xs" className="quiet">
              {t("typeStays")}
            </Text>
          ) : null}
          <ActionFields
            draft={draft}
            catalogue={catalogue}
            source={source}
            automation={automation}
            change={change}
          />
        </fieldset>
      </fieldset>
      {isReadOnly ? null : <FormFoot request={save} onCancel={onCancel} />}
    </Form>
  )
}
