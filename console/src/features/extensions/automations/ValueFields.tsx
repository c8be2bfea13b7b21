import { Text } from "@mantine/core"
import { useMessages } from "../../../i18n/language.tsx"
import type { ActionFieldsProps } from "./ActionFields.tsx"
import { automationMessages } from "./messages.ts"
import { PairRows } from "./PairRows.tsx"
import type { SourceField } from "./ReferenceInput.tsx"

/** What is written into the task or the record: fields of it, each with a value or a reference. */
export function ValueFields({
  draft,
  source,
  change,
  fields,
}: Pick<ActionFieldsProps, "draft" | "source" | "change"> & {
  fields: readonly SourceField[]
}) {
  const t = useMessages(automationMessages)
  return (
    <div className="automation-values">
      <Text size="sm" className="quiet">
        {t("valuesText")}
      </Text>
      <PairRows
        pairs={draft.values}
        onChange={(values) => change({ values })}
        add={t("addValue")}
        fieldLabel={t("field")}
        fields={fields}
        source={source}
      />
    </div>
  )
}
