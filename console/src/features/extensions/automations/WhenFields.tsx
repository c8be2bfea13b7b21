import { Select, Text } from "@mantine/core"
import { useMessages } from "../../../i18n/language.tsx"
import { actionsAfter, type Draft, type EventName, eventKinds } from "./automation-draft.ts"
import { automationMessages } from "./messages.ts"
import { PairRows } from "./PairRows.tsx"
import type { SourceField } from "./ReferenceInput.tsx"
import type { Catalogue } from "./source-fields.ts"

export interface WhenFieldsProps {
  draft: Draft
  catalogue: Catalogue
  fields: readonly SourceField[]
  isNew: boolean
  change(part: Partial<Draft>): void
}

/** What starts it, and which of these count. */
export function WhenFields({ draft, catalogue, fields, isNew, change }: WhenFieldsProps) {
  const t = useMessages(automationMessages)
  const kind = eventKinds[draft.event]
  const chooseEvent = (event: EventName) => {
    const isOther = eventKinds[event] !== kind
    const isFitting = actionsAfter(event).includes(draft.action)
    change({
      event,
      ...(isOther && { conditions: [], values: [] }),
      ...(isFitting || !isNew ? {} : { action: "webhook" }),
    })
  }
  // The action cannot change later, so an existing automation offers only events that fit it.
  const events = (Object.keys(eventKinds) as EventName[]).filter(
    (event) => isNew || actionsAfter(event).includes(draft.action),
  )
  return (
    <>
      <fieldset className="automation-step">
        <legend>{t("when")}</legend>
        <Select
          label={t("event")}
          data={events.map((event) => ({ value: event, label: t(event) }))}
          value={draft.event}
          allowDeselect={false}
          onChange={(event) => event && chooseEvent(event as EventName)}
        />
        {kind === "task" ? (
          <Select
            label={t("flow")}
            placeholder={t("allFlows")}
            clearable
            searchable
            data={catalogue.flows.map(({ _id, name }) => ({ value: _id, label: name }))}
            value={draft.flowId || null}
            onChange={(flowId) => change({ flowId: flowId ?? "", conditions: [] })}
          />
        ) : null}
        {kind === "data" ? (
          <Select
            label={t("dataType")}
            placeholder={t("choose")}
            required
            searchable
            data={catalogue.dataTypes.map(({ _id, name }) => ({ value: _id, label: name }))}
            value={draft.dataTypeId || null}
            onChange={(dataTypeId) => change({ dataTypeId: dataTypeId ?? "", conditions: [] })}
          />
        ) : null}
      </fieldset>
      {fields.length > 0 ? (
        <fieldset className="automation-step">
          <legend>{t("onlyIf")}</legend>
          <Text size="sm" className="quiet">
            {t("conditionsText")}
          </Text>
          <PairRows
            pairs={draft.conditions}
            onChange={(conditions) => change({ conditions })}
            add={t("addCondition")}
            fieldLabel={t("field")}
            fields={fields}
          />
        </fieldset>
      ) : null}
    </>
  )
}
