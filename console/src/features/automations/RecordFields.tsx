import { MultiSelect, Select, Text } from "@mantine/core"
import { useMessages } from "../../i18n/language.tsx"
import { usePeopleNames } from "../tasks/people.ts"
import type { ActionFieldsProps } from "./ActionFields.tsx"
import type { Draft, Person } from "./automation-draft.ts"
import { automationMessages } from "./messages.ts"
import { PairRows } from "./PairRows.tsx"
import { ReferenceInput } from "./ReferenceInput.tsx"

const chosenHere = "chosen"

/** Making a record, or bringing one up to date. */
export function RecordFields({ draft, catalogue, source, change }: ActionFieldsProps) {
  const t = useMessages(automationMessages)
  const people = usePeopleNames()
  const types = catalogue.dataTypes.filter(({ provider }) => provider === "internal")
  return (
    <>
      <Select
        label={t("targetType")}
        placeholder={t("choose")}
        required
        searchable
        data={types.map(({ _id, name }) => ({ value: _id, label: name }))}
        value={draft.targetTypeId || null}
        onChange={(targetTypeId) => change({ targetTypeId: targetTypeId ?? "", values: [] })}
      />
      <ReferenceInput
        label={t("recordKey")}
        description={t("recordKeyHint")}
        value={draft.recordKey}
        prefix={source.prefix}
        fields={source.fields}
        onChange={(recordKey) => change({ recordKey })}
      />
      {draft.targetTypeId ? (
        <div className="automation-values">
          <Text size="sm" className="quiet">
            {t("valuesText")}
          </Text>
          <PairRows
            pairs={draft.values}
            onChange={(values) => change({ values })}
            add={t("addValue")}
            fieldLabel={t("field")}
            fields={catalogue.fieldsOfType(draft.targetTypeId)}
            source={source}
          />
        </div>
      ) : null}
      <Select
        label={t("limit")}
        data={[
          { value: "none", label: t("limitNone") },
          { value: "add", label: t("limitAdd") },
          { value: "replace", label: t("limitReplace") },
        ]}
        value={draft.limit}
        allowDeselect={false}
        onChange={(limit) => limit && change({ limit: limit as Draft["limit"] })}
      />
      {draft.limit === "none" ? null : (
        <>
          <Select
            label={t("reassign")}
            data={[
              { value: chosenHere, label: t("people") },
              { value: "assignee", label: t("ofAssignee") },
              { value: "assignedBy", label: t("ofAssignedBy") },
              { value: "doneBy", label: t("ofDoneBy") },
            ]}
            value={draft.limitType || chosenHere}
            allowDeselect={false}
            onChange={(value) => change({ limitType: value === chosenHere ? "" : (value as Person) })}
          />
          {draft.limitType === "" ? (
            <MultiSelect
              label={t("people")}
              searchable
              data={[...people].map(([value, label]) => ({ value, label }))}
              value={draft.limitUser}
              onChange={(limitUser) => change({ limitUser })}
            />
          ) : null}
        </>
      )}
    </>
  )
}
