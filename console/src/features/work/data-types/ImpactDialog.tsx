import { Checkbox, Select, Text } from "@mantine/core"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { bindChecked } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import type { DataField, DataTypeChange, Impact } from "./data-types.queries.ts"
import { dataTypeMessages } from "./messages.ts"

type Repair = NonNullable<DataTypeChange["repairs"]>[string]

export interface ImpactDialogProps {
  impact: Impact
  /** Ids of the fields that are gone. */
  removed: readonly string[]
  /** The fields as they are stored. */
  fields: readonly DataField[]
  error: Error | null
  isPending: boolean
  onCancel(): void
  onApply(choice: Pick<DataTypeChange, "repairs" | "deleteFields">): void
}

/** The effect of a change on the records, as reported by the server, and the choice of what happens to each field's values. */
export function ImpactDialog(props: ImpactDialogProps) {
  const { impact, removed, fields, error, isPending, onCancel, onApply } = props
  const t = useMessages(dataTypeMessages)
  const [repairs, setRepairs] = useState<Record<string, Repair>>({})
  const [isDeleting, setDeleting] = useState(false)
  const touched = impact.fields.filter((field) => field.broken + field.convertible > 0)
  const words: Record<string, string> = {
    keep: t("keep"),
    convert: t("convert"),
    default: t("useDefault"),
    clear: t("clear"),
  }
  const titles = removed.map((id) => fields.find((field) => field.id === id)?.title ?? id)
  return (
    <FormDialog
      title={t("impactTitle")}
      size="lg"
      gap="md"
      request={{ error, isPending }}
      submit={t("apply")}
      onSubmit={() => onApply({ repairs, ...(isDeleting ? { deleteFields: [...removed] } : {}) })}
      onClose={onCancel}
    >
      <Text size="sm">
        {t("impactCounts", {
          records: impact.records,
          broken: impact.broken,
          convertible: impact.convertible,
        })}
      </Text>
      {touched.map((field) => (
        <section key={field.fieldId} aria-label={field.title}>
          <Text fw={600} size="sm">
            {field.title}{" "}
            <Text span c="dimmed" fw={400}>
              {t("fieldBroken", { broken: field.broken, convertible: field.convertible })}
            </Text>
          </Text>
          <ul className="value-list" style={{ margin: "6px 0" }}>
            {field.examples.slice(0, 3).map((example) => (
              <li key={example.dataId} className="quiet">
                {t("example", {
                  record: example.dataId,
                  value: String(example.value),
                  reason: example.reason,
                })}
              </li>
            ))}
          </ul>
          <Select
            aria-label={`${t("whatToDo")}: ${field.title}`}
            data={field.choices.map((choice) => ({ value: choice, label: words[choice] ?? choice }))}
            value={repairs[field.fieldId] ?? "keep"}
            onChange={(choice) => setRepairs({ ...repairs, [field.fieldId]: (choice ?? "keep") as Repair })}
          />
        </section>
      ))}
      {removed.length > 0 ? (
        <div>
          <Text size="sm">{t("removedFields", { fields: titles })}</Text>
          <Checkbox mt="xs" label={t("deleteValues")} {...bindChecked(isDeleting, setDeleting)} />
        </div>
      ) : null}
    </FormDialog>
  )
}
