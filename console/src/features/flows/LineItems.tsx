import { ActionIcon, Button, Group, NumberInput, Stack, Text, TextInput } from "@mantine/core"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { useMessages } from "../../i18n/language.tsx"
import { defineMessages } from "../../i18n/messages.ts"

const messages = defineMessages({
  en: {
    add: "Add a line",
    what: "What",
    quantity: "Quantity",
    price: "Price",
    remove: "Remove line {number}",
  },
  id: {
    add: "Tambah baris",
    what: "Barang",
    quantity: "Jumlah",
    price: "Harga",
    remove: "Hapus baris {number}",
  },
})

interface Line {
  title: string
  qty: number | null
  unitPrice?: number | null
  [key: string]: unknown
}

export interface LineItemsProps {
  title: string
  kind: "list" | "bill"
  value: unknown
  onChange(value: unknown): void
}

/** Lines of a list, or of a bill with prices. */
export function LineItems({ title, kind, value, onChange }: LineItemsProps) {
  const t = useMessages(messages)
  const lines = (Array.isArray(value) ? value : []) as Line[]
  const change = (index: number, part: Partial<Line>) =>
    onChange(lines.map((line, at) => (at === index ? { ...line, ...part } : line)))
  return (
    <div>
      <Text size="sm" fw={550} mb={6}>
        {title}
      </Text>
      <Stack gap={8}>
        {lines.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
          <Group key={index} gap={6} wrap="nowrap">
            <TextInput
              aria-label={t("what")}
              placeholder={t("what")}
              style={{ flex: 1 }}
              value={line.title ?? ""}
              onChange={(event) => change(index, { title: event.currentTarget.value })}
            />
            <NumberInput
              aria-label={t("quantity")}
              placeholder={t("quantity")}
              hideControls
              w={80}
              value={line.qty ?? ""}
              onChange={(next) => change(index, { qty: next === "" ? null : Number(next) })}
            />
            {kind === "bill" ? (
              <NumberInput
                aria-label={t("price")}
                placeholder={t("price")}
                hideControls
                w={90}
                value={line.unitPrice ?? ""}
                onChange={(next) => change(index, { unitPrice: next === "" ? null : Number(next) })}
              />
            ) : null}
            <ActionIcon
              aria-label={t("remove", { number: index + 1 })}
              onClick={() => onChange(lines.filter((_line, at) => at !== index))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="default"
          leftSection={<IconPlus size={16} />}
          onClick={() => onChange([...lines, { title: "", qty: 1 }])}
          style={{ alignSelf: "flex-start" }}
        >
          {t("add")}
        </Button>
      </Stack>
    </div>
  )
}
