import { Alert, Button, FileButton, Group, Stack, Text, Textarea } from "@mantine/core"
import { IconFileUpload } from "@tabler/icons-react"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { vehicleMessages } from "./messages.ts"
import { readVehicles, vehicleColumns } from "./read-vehicles.ts"
import { readWorkbook } from "./read-workbook.ts"
import { createVehicles } from "./vehicles.queries.ts"

/** Vehicles of a hub from a spreadsheet file or from rows that were copied out of a spreadsheet. */
export function VehicleFileDialog({ hubId, onClose }: { hubId: string; onClose(): void }) {
  const t = useMessages(vehicleMessages)
  const [text, setText] = useState("")
  const { vehicles, unreadable, hasNames } = readVehicles(text, hubId)
  const add = useAction(() => createVehicles(vehicles), {
    refreshes: [["vehicles"]],
    onDone: (answer) => {
      if (answer.success > 0) notifyDone(t("made", { count: answer.success }))
      if (answer.failed === 0) onClose()
    },
  })
  const read = useAction((file: File) => (/\.xlsx$/i.test(file.name) ? readWorkbook(file) : file.text()), {
    onDone: setText,
  })
  const refused = (add.data?.data ?? []).flatMap((entry, index) =>
    entry._id === null ? [`${vehicles[index]?.name ?? ""}: ${entry.message}`] : [],
  )
  const wanted = { number: t("fileNumber"), time: t("fileTime") }
  const problems = [
    ...(read.isError ? [t("fileBroken")] : []),
    ...(text.trim() !== "" && !hasNames ? [t("fileNoName")] : []),
    ...unreadable.map(({ row, column, wanted: kind }) =>
      t("fileUnreadable", { row, column, wanted: wanted[kind] }),
    ),
    ...refused,
  ]
  return (
    <OpenModal onClose={onClose} title={t("fileTitle")} size="lg">
      <Stack gap="sm">
        <Text size="sm">{t("fileText", { columns: vehicleColumns.join(", ") })}</Text>
        <FileButton
          accept=".csv,.txt,.tsv,.xlsx,text/csv"
          onChange={(file) => {
            add.reset()
            if (file) read.mutate(file)
          }}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<IconFileUpload size={16} />}
              style={{ alignSelf: "flex-start" }}
            >
              {t("fileChoose")}
            </Button>
          )}
        </FileButton>
        <Textarea
          label={t("fileRows")}
          autosize
          minRows={4}
          maxRows={12}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 13 } }}
          value={text}
          onChange={(event) => {
            add.reset()
            read.reset()
            setText(event.currentTarget.value)
          }}
        />
        {problems.length > 0 ? (
          <Alert color="red">
            {problems.slice(0, 8).map((problem) => (
              <div key={problem}>{problem}</div>
            ))}
          </Alert>
        ) : null}
        <FormError error={add.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button
            loading={add.isPending}
            disabled={vehicles.length === 0 || unreadable.length > 0}
            onClick={() => add.mutate()}
          >
            {t("fileAdd", { count: vehicles.length })}
          </Button>
        </Group>
      </Stack>
    </OpenModal>
  )
}
