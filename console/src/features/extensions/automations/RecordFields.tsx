import { Select } from "@mantine/core"
import { useMessages } from "../../../i18n/language.tsx"
import type { ActionFieldsProps } from "./ActionFields.tsx"
import type { Draft } from "./automation-draft.ts"
import { automationMessages } from "./messages.ts"
import { PeopleFields } from "./PeopleFields.tsx"
import { ReferenceInput } from "./ReferenceInput.tsx"
import { ValueFields } from "./ValueFields.tsx"

/** Making a record, or bringing one up to date. */
export function RecordFields({ draft, catalogue, source, change }: ActionFieldsProps) {
  const t = useMessages(automationMessages)
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
        <ValueFields
          draft={draft}
          source={source}
          change={change}
          fields={catalogue.fieldsOfType(draft.targetTypeId)}
        />
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
        <PeopleFields
          label={t("people")}
          from={["assignee", "assignedBy", "doneBy"]}
          taken={draft.limitType}
          chosen={draft.limitUser}
          onTake={(limitType) => change({ limitType })}
          onChoose={(limitUser) => change({ limitUser })}
        />
      )}
    </>
  )
}
