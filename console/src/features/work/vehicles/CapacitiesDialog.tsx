import { Group, Text, TextInput } from "@mantine/core"
import { IconPlus, IconTrash } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { vehicleMessages } from "./messages.ts"
import { type Capacity, capacitiesQuery, saveCapacities } from "./vehicles.queries.ts"

interface Line extends Capacity {
  key: number
}

/** Names and units of what vehicles carry, for the whole organization. */
export default function CapacitiesDialog({ onClose }: { onClose(): void }) {
  const t = useMessages(vehicleMessages)
  const { data: document } = useSuspenseQuery(capacitiesQuery)
  const [lines, setLines] = useState<Line[]>(() => {
    const known = document?.capacityConstraint ?? []
    return (known.length > 0 ? known : [{ name: "", denominator: "" }]).map((line, key) => ({ ...line, key }))
  })
  const save = useAction(
    () =>
      saveCapacities(
        document?._id,
        lines
          .map(({ name, denominator }) => ({ name: name.trim(), denominator: denominator.trim() }))
          .filter(({ name }) => name !== ""),
      ),
    { refreshes: [capacitiesQuery.queryKey], onDone: onClose },
  )
  const edit = (key: number, part: Partial<Capacity>) =>
    setLines((current) => current.map((line) => (line.key === key ? { ...line, ...part } : line)))
  return (
    <FormDialog
      title={t("capacities")}
      request={save}
      onSubmit={() => save.mutate()}
      onClose={onClose}
      history={document?._id ? { objectType: "capacity-constraint", objectId: document._id } : undefined}
    >
      <Text size="sm" c="dimmed">
        {t("capacitiesText")}
      </Text>
      {lines.map((line) => (
        <Group key={line.key} gap="xs" wrap="nowrap" align="end">
          <TextInput
            label={t("name")}
            maxLength={255}
            style={{ flex: 1 }}
            {...bindText(line.name, (name) => edit(line.key, { name }))}
          />
          <TextInput
            label={t("unit")}
            maxLength={50}
            w={100}
            {...bindText(line.denominator, (denominator) => edit(line.key, { denominator }))}
          />
          <IconButton
            icon={IconTrash}
            label={t("removeCapacity", { name: line.name })}
            size="lg"
            onClick={() => setLines(lines.filter(({ key }) => key !== line.key))}
          />
        </Group>
      ))}
      <ActionButton
        icon={IconPlus}
        label={t("addCapacity")}
        variant="light"
        style={{ alignSelf: "flex-start" }}
        onClick={() =>
          setLines([
            ...lines,
            { name: "", denominator: "", key: Math.max(-1, ...lines.map(({ key }) => key)) + 1 },
          ])
        }
      />
    </FormDialog>
  )
}
