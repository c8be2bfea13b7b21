import { Progress, Select, Text } from "@mantine/core"
import { IconPencil } from "@tabler/icons-react"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../../ui/actions/ConfirmDialog.tsx"
import { RefusalsDialog } from "../../../ui/actions/RefusalsDialog.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { DeleteSelected, SelectionBar } from "../../../ui/tables/SelectionBar.tsx"
import { tableMessages } from "../../../ui/tables/table-messages.ts"
import type { DataType } from "../data-types/data-types.queries.ts"
import { FieldInput } from "../data-types/FieldInput.tsx"
import { dataTypeMessages } from "../data-types/messages.ts"
import { recordMessages } from "./messages.ts"
import { textOfField } from "./record-columns.tsx"
import {
  deleteRecords,
  matchingRecords,
  maxSelected,
  type RecordQuery,
  type RecordResults,
  type SelectedRecord,
  setField,
} from "./records.queries.ts"

/** Above this a bulk change takes several calls and reports its progress. */
const slowCount = 2_000

export interface RecordSelectionBarProps {
  type: DataType
  records: readonly SelectedRecord[]
  /** How many match, and by what: all of them can be selected. */
  total: number
  query: RecordQuery
  mayEdit: boolean
  onSelect(records: readonly SelectedRecord[]): void
  onClear(): void
}

/** Actions on the selected records; rejected records are listed with their reasons. */
export function RecordSelectionBar(props: RecordSelectionBarProps) {
  const { type, records, total, query, mayEdit, onSelect, onClear } = props
  const t = useMessages(recordMessages)
  const tTable = useMessages(tableMessages)
  const tType = useMessages(dataTypeMessages)
  const formats = useFormats()
  const { may } = useSession()
  const client = useQueryClient()
  const [dialog, setDialog] = useState<"delete" | "set">()
  const [refused, setRefused] = useState<RecordResults["refused"]>([])
  const [fieldId, setFieldId] = useState<string | null>(null)
  const [value, setValue] = useState<string | number | boolean | null>(null)
  const [sent, setSent] = useState(0)
  const selectAll = useAction(() => matchingRecords(query), {
    failed: () => t("selectAll", { count: total }),
    onDone: onSelect,
  })
  const field = type.fields.find(({ id }) => id === fieldId)
  const report = async (results: RecordResults, text: "deleted" | "set") => {
    if (results.done > 0) notifyDone(t(text, { count: results.done }))
    setRefused(results.refused)
    setDialog(undefined)
    onClear()
    await client.invalidateQueries({ queryKey: ["data-records"] })
  }
  const remove = useAction(async () => report(await deleteRecords(records, setSent), "deleted"))
  const set = useAction(async () => {
    if (fieldId) await report(await setField(type._id, records, fieldId, value, setSent), "set")
  })
  const count = records.length
  return (
    <>
      {count > 0 ? (
        <SelectionBar
          count={count}
          progress={remove.isPending && count > slowCount ? t("working", { done: sent, count }) : undefined}
          all={
            type.provider === "external-api"
              ? undefined
              : {
                  count: Math.min(total, maxSelected),
                  isPending: selectAll.isPending,
                  onSelect: () => selectAll.mutate(),
                }
          }
          onClear={onClear}
        >
          {mayEdit ? (
            <ActionButton
              icon={IconPencil}
              label={t("setField")}
              size="xs"
              onClick={() => setDialog("set")}
            />
          ) : null}
          {may("delete/data") && type.provider !== "external-api" ? (
            <DeleteSelected
              label={t("delete")}
              isPending={remove.isPending}
              onClick={() => setDialog("delete")}
            />
          ) : null}
        </SelectionBar>
      ) : null}
      <ConfirmDialog
        isOpen={dialog === "delete"}
        title={t("deleteTitle", { count })}
        text={t("deleteText")}
        confirm={t("delete")}
        isDangerous
        count={count}
        onClose={() => setDialog(undefined)}
        onConfirm={() => remove.mutate()}
      />
      {dialog === "set" ? (
        <FormDialog
          title={t("setTitle", { count })}
          request={set}
          isDisabled={!field}
          submit={t("apply")}
          onSubmit={() => set.mutate()}
          onClose={() => setDialog(undefined)}
        >
          <Select
            label={t("field")}
            data={type.fields
              .filter((candidate) => !candidate.primaryKey)
              .map(({ id, title }) => ({ value: id, label: title }))}
            value={fieldId}
            onChange={(id) => {
              setFieldId(id)
              setValue(null)
            }}
          />
          {field ? (
            <FieldInput
              key={field.id}
              field={{ ...field, required: false }}
              label={t("value")}
              value={value}
              onChange={setValue}
            />
          ) : null}
          {field ? (
            <Text size="sm" role="status">
              {value === null
                ? tTable("previewClear", { field: field.title, count })
                : tTable("preview", {
                    field: field.title,
                    value: textOfField(field, value, formats, tType),
                    count,
                  })}
            </Text>
          ) : null}
          {set.isPending && count > slowCount ? (
            <Progress value={(100 * sent) / count} aria-label={t("working", { done: sent, count })} />
          ) : null}
        </FormDialog>
      ) : null}
      <RefusalsDialog
        refused={refused}
        onClose={() => {
          setRefused([])
          remove.reset()
        }}
      >
        {remove.error ? <FormError error={remove.error} /> : null}
      </RefusalsDialog>
    </>
  )
}
