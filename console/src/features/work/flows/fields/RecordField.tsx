import { Autocomplete } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { dataOf, server } from "../../../../api/server.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import type { DataRecord } from "../../data-records/records.queries.ts"
import type { DataType } from "../../data-types/data-types.queries.ts"
import { ruleMessages } from "../builder/rule-messages.ts"

const typingMilliseconds = 250
const offeredRecords = 20

/** The key of a record, typed or chosen among those of the task's hub; a match fills the other fields. */
export function RecordField({
  label,
  required,
  error,
  type,
  hubId,
  value,
  isLarge = false,
  onChange,
  onRecord,
}: {
  label: string
  required: boolean
  error: string | undefined
  type: DataType
  hubId: string | null
  /** What the field holds; undefined where choosing adds an item and leaves no text behind. */
  value: string | undefined
  isLarge?: boolean
  onChange(text: string): void
  onRecord(record: DataRecord): void
}) {
  const t = useMessages(ruleMessages)
  const [typed, setTyped] = useState("")
  const [lastChosen, setLastChosen] = useState<string>()
  const text = value ?? typed
  const [wanted] = useDebouncedValue(text.trim(), typingMilliseconds)
  // Records of a common type belong to no hub.
  const scope = { dataTypeId: type._id, ...(type.commonData || hubId === null ? {} : { hubId }) }
  const { data: records = [] } = useQuery({
    queryKey: ["data-records", "by key", scope, wanted],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const filter = wanted === "" ? {} : { "filter[dataId][contains]": wanted }
      const query = { ...scope, ...filter, limit: offeredRecords }
      return (await dataOf(server.get("/api/v3/data", { query, signal }))).data as DataRecord[]
    },
  })
  const choose = (key: string) => {
    const record = records.find(({ dataId }) => dataId === key)
    // Leaving the field again must not undo what was changed since the record filled it.
    if (!record || key === lastChosen) return
    setTyped("")
    if (value !== undefined) setLastChosen(key)
    onRecord(record)
  }
  return (
    <Autocomplete
      label={label}
      required={required}
      size={isLarge ? "md" : "sm"}
      {...(error === undefined ? {} : { error })}
      placeholder={t("record", { name: type.name })}
      data={[...new Set(records.map(({ dataId }) => dataId))]}
      value={text}
      onChange={(next) => {
        setTyped(next)
        setLastChosen(undefined)
        if (value !== undefined) onChange(next)
      }}
      onOptionSubmit={choose}
      onBlur={() => choose(text.trim())}
    />
  )
}
