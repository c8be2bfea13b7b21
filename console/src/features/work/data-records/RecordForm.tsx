import { Select, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ApiError } from "../../../api/client.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormPanel } from "../../../ui/forms/FormPanel.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { hubsQuery } from "../../organization/hubs/hubs.queries.ts"
import type { DataType } from "../data-types/data-types.queries.ts"
import { FieldInput } from "../data-types/FieldInput.tsx"
import { Comments } from "../messages/Comments.tsx"
import { usePeopleNames } from "../tasks/people.ts"
import { recordMessages } from "./messages.ts"
import { changeRecord, createRecord, type DataRecord } from "./records.queries.ts"

export interface RecordFormProps {
  type: DataType
  record: DataRecord | undefined
  isLocked?: boolean
  onClose(): void
}

/** All values of one record, from the fields of its type. */
export function RecordForm({ type, record, isLocked = false, onClose }: RecordFormProps) {
  const t = useMessages(recordMessages)
  const chosenHub = useChosenHub()
  const people = usePeopleNames()
  const { data: hubs = [] } = useQuery(hubsQuery)
  const [values, setValues] = useState<Record<string, unknown>>(() =>
    Object.fromEntries(
      type.fields.map((field) => [field.id, record ? (record[field.id] ?? null) : field.default]),
    ),
  )
  const [hubChoice, setHub] = useState<string | null>(record?.hubId ?? null)
  const hubId = hubChoice ?? chosenHub ?? hubs[0]?._id ?? null
  const [limitUser, setLimitUser] = useState<string[]>(record?.limitUser ?? [])
  const [isTouched, setTouched] = useState(false)
  const name = String(values.dataId ?? "")
  const save = useAction(
    async () => {
      const body = {
        ...values,
        dataId: values.dataId,
        ...(type.commonData || !hubId ? {} : { hubId }),
        ...(type.limitUser ? { limitUser } : {}),
      }
      if (record) await changeRecord(record._id, body)
      else await createRecord({ ...body, dataTypeId: type._id })
    },
    { refreshes: [["data-records"]], done: () => t("saved", { name }), onDone: onClose },
  )
  const titles = new Map(type.fields.map((field) => [field.id, field.title || field.id]))
  const refusals = save.error instanceof ApiError ? save.error.fields : {}
  const close = useLeaveWarning(isTouched && !save.isAccepted, onClose)
  return (
    <FormPanel
      onClose={close}
      size={460}
      title={record ? record.dataId : t("newTitle")}
      request={save}
      isLocked={isLocked}
      history={record ? { objectType: "record", objectId: record._id, titles } : undefined}
      below={record && !isLocked ? <Comments of={{ recordId: record._id }} /> : null}
      onSubmit={() => save.mutate()}
    >
      {type.fields.map((field) => (
        <FieldInput
          key={field.id}
          field={field}
          value={values[field.id]}
          error={refusals[field.id]?.[0]}
          onChange={(value) => {
            setTouched(true)
            setValues((current) => ({ ...current, [field.id]: value }))
          }}
        />
      ))}
      {type.commonData ? null : hubs.length === 1 && record === undefined ? (
        <TextInput label={t("hub")} value={hubs[0]?.name ?? ""} readOnly />
      ) : (
        <Select
          label={t("hub")}
          data={hubs.map((hub) => ({ value: hub._id, label: hub.name }))}
          value={hubId}
          error={refusals.hubId?.[0]}
          onChange={(value) => {
            setTouched(true)
            setHub(value)
          }}
        />
      )}
      {type.limitUser ? (
        <ManySelect
          label={t("limitUser")}
          description={t("limitUserHint")}
          searchable
          data={[...people].map(([value, label]) => ({ value, label }))}
          value={limitUser}
          onChange={(next) => {
            setTouched(true)
            setLimitUser(next)
          }}
        />
      ) : null}
    </FormPanel>
  )
}
