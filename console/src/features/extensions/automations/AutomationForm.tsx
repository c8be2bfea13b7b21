import { Button, Group, Select, Switch, Text, TextInput } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { FormError } from "../../../ui/FormError.tsx"
import { useLeaveWarning } from "../../../ui/leave-warning.tsx"
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
import { useCatalogue } from "./source-fields.ts"
import { WhenFields } from "./WhenFields.tsx"
import "./automations.css"

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
  const client = useQueryClient()
  const catalogue = useCatalogue()
  const [draft, setDraft] = useState<Draft>(() => (automation ? toDraft(automation) : emptyDraft))
  const [isChanged, setChanged] = useState(false)
  useLeaveWarning(isChanged)
  const change = (part: Partial<Draft>) => {
    setDraft((before) => ({ ...before, ...part }))
    setChanged(true)
  }
  const save = useMutation({
    mutationFn: () => saveAutomation(automation?._id, toBody(draft, catalogue.flowName)),
    onSuccess: async ({ data }) => {
      setChanged(false)
      await client.invalidateQueries({ queryKey: ["automations"] })
      onSaved(data)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  const kind = eventKinds[draft.event]
  const fields =
    kind === "task"
      ? catalogue.fieldsOfFlow(draft.flowId)
      : kind === "data"
        ? catalogue.fieldsOfType(draft.dataTypeId)
        : []
  const source = { prefix: kind === "data" ? "$refData." : "$refFlow.", fields } as const
  return (
    <form onSubmit={submit} className="automation-form">
      <fieldset disabled={isReadOnly} className="automation-fields">
        <Group align="end" wrap="nowrap">
          <TextInput
            label={t("name")}
            required
            maxLength={200}
            style={{ flex: 1 }}
            value={draft.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          <Switch
            label={t("active")}
            pb={8}
            checked={draft.isActive}
            onChange={(event) => change({ isActive: event.currentTarget.checked })}
          />
        </Group>
        <WhenFields
          draft={draft}
          catalogue={catalogue}
          fields={fields}
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
      <FormError error={save.error} />
      {isReadOnly ? null : (
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t("cancel")}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t("save")}
          </Button>
        </Group>
      )}
    </form>
  )
}
