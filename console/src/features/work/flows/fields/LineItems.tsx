import {
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  Select,
  Stack,
  Text,
  TextInput,
} from "@mantine/core"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { useState } from "react"
import { useFormats } from "../../../../i18n/formats.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { defineMessages } from "../../../../i18n/messages.ts"
import { canScan } from "../../../../scan/scan-support.ts"
import { ActionButton, IconButton } from "../../../../ui/actions/ActionButton.tsx"
import { bindChecked, bindText } from "../../../../ui/forms/bind.ts"
import type { FlowComponent } from "../flows.queries.ts"
import { type BillCost, billTotal, type Line, linesOf } from "./bill-total.ts"
import { ScanLines } from "./ScanLines.tsx"

const messages = defineMessages("work.lineItems", {
  add: "Add a line",
  what: "What",
  quantity: "Quantity",
  price: "Price",
  remove: "Remove line {number}",
  planned: "{count} planned",
  each: "{price} each",
  handled: "Quantity of {title}",
  choose: "Choose what to add",
  badNew: "This is not allowed here",
  total: "Total",
  nothing: "Nothing was planned here.",
})

export interface LineItemsProps {
  component: FlowComponent
  kind: "list" | "bill"
  value: unknown
  /** The lines of the component that this one takes over: they are handled here, not written. */
  source: unknown
  onChange(value: unknown): void
  /** On a phone. */
  isLarge?: boolean
}

/** Lines of a list, or of a bill with prices: written where they begin, handled where they come from elsewhere. */
export function LineItems({ component, kind, value, source, onChange, isLarge = false }: LineItemsProps) {
  const t = useMessages(messages)
  const formats = useFormats()
  const planned = linesOf(source)
  const isHandled = typeof component.value === "string" && component.value.startsWith("$")
  const own = linesOf(value)
  const lines = own.length > 0 ? own : planned
  const change = (index: number, part: Partial<Line>) =>
    onChange(lines.map((line, at) => (at === index ? { ...line, ...part } : line)))
  const remove = (index: number) => onChange(lines.filter((_line, at) => at !== index))
  const mayAdd = !isHandled || component.addNew === true
  const costs = (Array.isArray(component.masterCosts) ? component.masterCosts : []) as BillCost[]
  return (
    <div>
      <Text size="sm" fw={550} mb={6}>
        {component.title ?? component.id}
      </Text>
      <Stack gap={8}>
        {isHandled && lines.length === 0 ? <p className="quiet">{t("nothing")}</p> : null}
        {lines.map((line, index) =>
          isHandled && index < planned.length ? (
            <HandledLine
              // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
              key={index}
              type={kind === "bill" ? "quantity" : String(component.type ?? "quantity")}
              line={line}
              onChange={(part) => change(index, part)}
            />
          ) : (
            <WrittenLine
              // biome-ignore lint/suspicious/noArrayIndexKey: as above
              key={index}
              kind={kind}
              line={line}
              number={index + 1}
              onChange={(part) => change(index, part)}
              onRemove={() => remove(index)}
            />
          ),
        )}
        {isHandled && lines.length > 0 && canScan() ? <ScanLines lines={lines} onChange={onChange} /> : null}
        {mayAdd ? (
          <NewLine
            component={component}
            isLarge={isLarge}
            onAdd={(title) => onChange([...lines, { title, qty: 1, ...priceOf(component, title) }])}
          />
        ) : null}
        {kind === "bill" && lines.length > 0 ? (
          <Group justify="space-between">
            <Text size="sm">{t("total")}</Text>
            <Text fw={600}>{formats.number(billTotal(lines, costs))}</Text>
          </Group>
        ) : null}
      </Stack>
    </div>
  )
}

/** The catalogue of a bill knows what its items cost. */
function priceOf(component: FlowComponent, title: string): { unitPrice?: number } {
  const items = (Array.isArray(component.masterItems) ? component.masterItems : []) as {
    name?: string
    unit_price?: number
  }[]
  const price = items.find(({ name }) => name === title)?.unit_price
  return price === undefined ? {} : { unitPrice: Number(price) }
}

function HandledLine({
  type,
  line,
  onChange,
}: {
  type: string
  line: Line
  onChange(part: Partial<Line>): void
}) {
  const t = useMessages(messages)
  const formats = useFormats()
  const words = [
    line.qty === null || line.qty === undefined ? undefined : t("planned", { count: line.qty }),
    line.unitPrice === null || line.unitPrice === undefined
      ? undefined
      : t("each", { price: formats.number(line.unitPrice) }),
    line.content ?? undefined,
  ].filter((word) => word !== undefined)
  if (type === "checkbox")
    return (
      <Checkbox
        size="md"
        label={line.title}
        description={words.join(" · ")}
        {...bindChecked((line.qtyProcessed ?? 0) > 0, (checked) =>
          onChange({ qtyProcessed: checked ? (line.qty ?? 1) : 0 }),
        )}
      />
    )
  return (
    <Group gap="sm" wrap="nowrap" justify="space-between">
      <span className="field-task-words">
        <strong>{line.title}</strong>
        <span className="quiet">{words.join(" · ")}</span>
      </span>
      {type === "text" ? null : (
        <NumberInput
          aria-label={t("handled", { title: line.title })}
          size="md"
          min={0}
          w={120}
          inputMode="decimal"
          value={line.qtyProcessed ?? ""}
          placeholder={String(line.qty ?? 0)}
          onChange={(next) => onChange({ qtyProcessed: next === "" ? null : Number(next) })}
        />
      )}
    </Group>
  )
}

function WrittenLine({
  kind,
  line,
  number,
  onChange,
  onRemove,
}: {
  kind: "list" | "bill"
  line: Line
  number: number
  onChange(part: Partial<Line>): void
  onRemove(): void
}) {
  const t = useMessages(messages)
  return (
    <Group gap={6} wrap="nowrap">
      <TextInput
        aria-label={t("what")}
        placeholder={t("what")}
        style={{ flex: 1 }}
        {...bindText(line.title, (title) => onChange({ title }))}
      />
      <NumberInput
        aria-label={t("quantity")}
        placeholder={t("quantity")}
        hideControls
        w={80}
        value={line.qty ?? ""}
        onChange={(next) => onChange({ qty: next === "" ? null : Number(next) })}
      />
      {kind === "bill" ? (
        <NumberInput
          aria-label={t("price")}
          placeholder={t("price")}
          hideControls
          w={90}
          value={line.unitPrice ?? ""}
          onChange={(next) => onChange({ unitPrice: next === "" ? null : Number(next) })}
        />
      ) : null}
      <IconButton icon={IconTrash} label={t("remove", { number })} size="lg" onClick={onRemove} />
    </Group>
  )
}

/** A new line: chosen from the catalogue where there is one, else written and judged by the flow's rule. */
function NewLine({
  component,
  isLarge,
  onAdd,
}: {
  component: FlowComponent
  isLarge: boolean
  onAdd(title: string): void
}) {
  const t = useMessages(messages)
  const [typed, setTyped] = useState("")
  const offered = offeredTitles(component)
  // The phone's own lists scroll under a finger.
  if (offered.length > 0 && isLarge)
    return (
      <NativeSelect
        aria-label={t("add")}
        data={[{ value: "", label: t("choose") }, ...offered]}
        value=""
        onChange={({ currentTarget: { value } }) => {
          if (value !== "") onAdd(value)
        }}
      />
    )
  if (offered.length > 0)
    return (
      <Select
        aria-label={t("add")}
        placeholder={t("choose")}
        searchable
        data={offered}
        value={null}
        onChange={(title) => {
          if (title !== null) onAdd(title)
        }}
      />
    )
  const rule = newTitleRule(component)
  if (!rule)
    return (
      <ActionButton
        icon={IconPlus}
        label={t("add")}
        variant="default"
        onClick={() => onAdd("")}
        style={{ alignSelf: "flex-start" }}
      />
    )
  const isBad = typed !== "" && !rule.test(typed)
  return (
    <Group gap={6} wrap="nowrap" align="start">
      <TextInput
        aria-label={t("add")}
        placeholder={t("what")}
        style={{ flex: 1 }}
        error={isBad ? t("badNew") : undefined}
        {...bindText(typed, setTyped)}
      />
      <Button
        variant="default"
        disabled={typed === "" || isBad}
        onClick={() => {
          onAdd(typed)
          setTyped("")
        }}
      >
        {t("add")}
      </Button>
    </Group>
  )
}

function offeredTitles(component: FlowComponent): string[] {
  const items = (Array.isArray(component.masterItems) ? component.masterItems : []) as { name?: unknown }[]
  const names = items.map(({ name }) => name).filter((name) => typeof name === "string")
  const chosen = component.addNewType === "select" && Array.isArray(component.addNewData)
  return [...new Set([...names, ...(chosen ? (component.addNewData as unknown[]).map(String) : [])])]
}

function newTitleRule(component: FlowComponent): RegExp | undefined {
  switch (component.addNewValidationType) {
    case "text":
      return /^\p{L}[\p{L} ]*$/u
    case "number":
      return /^\d+$/
    case "textAndNumber":
      return /^[\p{L}\d ]+$/u
    case "custom":
      try {
        return new RegExp(String(component.addNewValidation ?? ""))
      } catch {
        return undefined
      }
    default:
      return undefined
  }
}
