import { Group, NumberInput, Select, Text, Textarea } from "@mantine/core"
import { useDebouncedValue } from "@mantine/hooks"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindText } from "../../ui/forms/bind.ts"
import { FormDialog } from "../../ui/forms/FormDialog.tsx"
import { useHubNames } from "../work/tasks/people.ts"
import {
  itemsQuery,
  type MovementInput,
  moveStock,
  type StockHolder,
  vehicleNamesQuery,
} from "./fleet.queries.ts"
import { stockMessages } from "./fleet-messages.ts"

const kinds = ["receipt", "transfer", "issue", "count"] as const
type Kind = (typeof kinds)[number]

/** Receives, moves, issues or counts a part. */
export function MovementDialog({ vehicleId, onClose }: { vehicleId: string | undefined; onClose(): void }) {
  const t = useMessages(stockMessages)
  const hubs = useHubNames()
  const { data: vehicles = [] } = useQuery(vehicleNamesQuery)
  const own = vehicleId === undefined ? null : `vehicle:${vehicleId}`
  const [kind, setKind] = useState<Kind>(own ? "transfer" : "receipt")
  const [itemId, setItem] = useState<string | null>(null)
  const [text, setText] = useState("")
  const [q] = useDebouncedValue(text, 250)
  const [quantity, setQuantity] = useState<string | number>(1)
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(own)
  const [note, setNote] = useState("")
  const { data: items } = useQuery(itemsQuery(q.replace(/ \([^)]*\)$/, ""), 1))
  const needsFrom = kind === "issue" || kind === "transfer"
  const needsTo = kind !== "issue"
  const save = useAction(
    () =>
      moveStock({
        ...{ kind, itemId: itemId as MovementInput["itemId"], quantity: Number(quantity), note },
        ...(needsFrom ? { from: holderOf(from ?? own) } : {}),
        ...(needsTo ? { to: holderOf(to) } : {}),
      }),
    { refreshes: [["vehicles", "stock"]], done: () => t("saved"), onDone: onClose },
  )
  const places = [
    ...[...hubs].map(([id, label]) => ({ value: `hub:${id}`, label })),
    ...vehicles.map(({ _id, name }) => ({ value: `vehicle:${_id}`, label: name })),
  ]
  const place = (label: string, value: string | null, set: (value: string | null) => void) => (
    <Select
      label={label}
      searchable
      required
      withAsterisk={false}
      data={places}
      value={value}
      onChange={set}
    />
  )
  return (
    <FormDialog
      title={t("newMovement")}
      request={save}
      isDisabled={itemId === null || quantity === ""}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <Select
        label={t("what")}
        allowDeselect={false}
        data={kinds.map((value) => ({ value, label: t(value) }))}
        value={kind}
        onChange={(value) => setKind(value as Kind)}
      />
      {kind === "count" ? (
        <Text size="sm" c="dimmed">
          {t("countHint")}
        </Text>
      ) : null}
      <Group grow align="end">
        <Select
          label={t("part")}
          searchable
          data={(items?.data ?? []).map(({ _id, name, code }) => ({
            value: _id,
            label: `${name} (${code})`,
          }))}
          searchValue={text}
          onSearchChange={setText}
          filter={({ options }) => options}
          value={itemId}
          onChange={setItem}
        />
        <NumberInput label={t("quantity")} min={0} decimalScale={3} value={quantity} onChange={setQuantity} />
      </Group>
      {needsFrom ? place(needsTo ? t("from") : t("where"), from ?? (needsTo ? null : own), setFrom) : null}
      {needsTo ? place(kind === "transfer" ? t("to") : t("where"), to, setTo) : null}
      <Textarea label={t("note")} autosize maxLength={500} {...bindText(note, setNote)} />
    </FormDialog>
  )
}

function holderOf(value: string | null): StockHolder {
  const [kind, id] = (value ?? "").split(":")
  return (kind === "vehicle" ? { vehicleId: id } : { hubId: id }) as StockHolder
}
