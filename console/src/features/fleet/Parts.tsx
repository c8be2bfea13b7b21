import { Group, TextInput } from "@mantine/core"
import { IconPackage, IconPencil, IconTrash } from "@tabler/icons-react"
import { type ReactNode, useState } from "react"
import { ApiError } from "../../api/client.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { IconButton } from "../../ui/actions/ActionButton.tsx"
import { ConfirmDialog } from "../../ui/actions/ConfirmDialog.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindText } from "../../ui/forms/bind.ts"
import { FormDialog } from "../../ui/forms/FormDialog.tsx"
import { FormError } from "../../ui/forms/FormError.tsx"
import { EmptyState } from "../../ui/layout/EmptyState.tsx"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { deleteItem, type StockItem, saveItem } from "./fleet.queries.ts"
import { stockMessages } from "./fleet-messages.ts"
import { RequiredText } from "./RequiredText.tsx"

const refreshes = [["vehicles", "stock"]]

/** What vehicles and hubs can have in stock. */
export function Parts({
  rows,
  isEmpty,
  add,
}: {
  rows: readonly StockItem[]
  isEmpty: boolean
  add: ReactNode
}) {
  const t = useMessages(stockMessages)
  const formats = useFormats()
  const { may } = useSession()
  const [edited, setEdited] = useState<StockItem>()
  const [removed, setRemoved] = useState<StockItem>()
  const remove = useAction(deleteItem, { refreshes })
  if (isEmpty)
    return (
      <EmptyState icon={IconPackage} title={t("noParts")} text={t("noPartsText")}>
        {add}
      </EmptyState>
    )
  return (
    <>
      <FormError error={remove.error} />
      <DataTable
        rows={rows}
        keyOf={({ _id }) => _id}
        columns={[
          { title: t("name"), kind: "name", cell: ({ name }) => name },
          { title: t("code"), from: "sm", kind: "quiet", cell: ({ code }) => code },
          {
            title: t("total"),
            kind: "number",
            cell: ({ total, unit }) => [formats.number(total), unit].filter(Boolean).join(" "),
          },
          may("edit/vehicle") && {
            title: t("edit"),
            kind: "actions",
            cell: (item) => (
              <Group gap={4} justify="flex-end" wrap="nowrap">
                <IconButton
                  icon={IconPencil}
                  label={`${t("edit")}: ${item.name}`}
                  onClick={() => setEdited(item)}
                />
                {may("delete/vehicle") ? (
                  <IconButton
                    icon={IconTrash}
                    label={`${t("delete")}: ${item.name}`}
                    onClick={() => setRemoved(item)}
                  />
                ) : null}
              </Group>
            ),
          },
        ]}
      />
      {edited ? <PartDialog item={edited} onClose={() => setEdited(undefined)} /> : null}
      <ConfirmDialog
        isOpen={removed !== undefined}
        title={t("delete")}
        text={t("deleteText", { name: removed?.name ?? "" })}
        confirm={t("delete")}
        isDangerous
        onConfirm={() => removed && remove.mutate(removed._id)}
        onClose={() => setRemoved(undefined)}
      />
    </>
  )
}

export function PartDialog({ item, onClose }: { item: StockItem | undefined; onClose(): void }) {
  const t = useMessages(stockMessages)
  const [name, setName] = useState(item?.name ?? "")
  const [code, setCode] = useState(item?.code ?? "")
  const [unit, setUnit] = useState(item?.unit ?? "")
  const save = useAction(() => saveItem(item?._id, { name, code, unit }), {
    refreshes,
    done: () => t("saved"),
    onDone: onClose,
  })
  const fields = save.error instanceof ApiError ? save.error.fields : {}
  return (
    <FormDialog
      title={item?.name ?? t("newPart")}
      history={item && { objectType: "stock-item", objectId: item._id }}
      request={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <RequiredText label={t("name")} data-autofocus errors={fields.name} value={name} onChange={setName} />
      <Group grow align="start">
        <RequiredText label={t("code")} errors={fields.code} value={code} onChange={setCode} />
        <TextInput label={t("unit")} maxLength={20} {...bindText(unit, setUnit)} />
      </Group>
    </FormDialog>
  )
}
