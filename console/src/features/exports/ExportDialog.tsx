import { Button, Group, Modal, Radio, Select, Stack, Text } from "@mantine/core"
import { IconDownload } from "@tabler/icons-react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Link } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { paths } from "../../paths.ts"
import { FormError } from "../../ui/FormError.tsx"
import type { taskPageQuery } from "../tasks/tasks.queries.ts"
import { type ExportFormat, exportFormats, exportTasks } from "./exports.queries.ts"
import { exportMessages } from "./messages.ts"

export interface ExportDialogProps {
  query: Parameters<typeof taskPageQuery>[0]
  /** How many tasks match the query. */
  total: number
  taskIds: readonly string[]
  onClose(): void
}

/** The tasks of the filter, or the selected ones, as a file. */
export default function ExportDialog({ query, total, taskIds, onClose }: ExportDialogProps) {
  const t = useMessages(exportMessages)
  const client = useQueryClient()
  const [format, setFormat] = useState<ExportFormat>("xlsx")
  const [what, setWhat] = useState<"picked" | "matching">(taskIds.length > 0 ? "picked" : "matching")
  const isPicked = what === "picked"
  const count = isPicked ? taskIds.length : total
  const make = useMutation({
    mutationFn: () => exportTasks({ format, query, taskIds: isPicked ? taskIds : [], count }),
    onSuccess: () => client.invalidateQueries({ queryKey: ["exports"] }),
  })
  const link = make.data?.data.link
  return (
    <Modal opened onClose={onClose} title={t("dialogTitle")}>
      <Stack gap="md">
        {make.data ? (
          <Text size="sm" role="status">
            {link ? t("ready", { count: make.data.total_data_be }) : t("background")}
          </Text>
        ) : (
          <>
            <Radio.Group
              label={t("what")}
              value={what}
              onChange={(value) => setWhat(value === "picked" ? "picked" : "matching")}
            >
              <Stack gap={8} mt={6}>
                {taskIds.length > 0 ? (
                  <Radio value="picked" label={t("picked", { count: taskIds.length })} />
                ) : null}
                <Radio value="matching" label={t("matching", { count: total })} />
              </Stack>
            </Radio.Group>
            <Select
              label={t("format")}
              allowDeselect={false}
              data={exportFormats.map((value) => ({ value, label: t(value) }))}
              value={format}
              onChange={(value) => setFormat(exportFormats.find((known) => known === value) ?? "xlsx")}
            />
          </>
        )}
        <FormError error={make.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {make.data ? t("close") : t("cancel")}
          </Button>
          {make.data ? (
            <>
              <Button variant="default" component={Link} to={paths.exports}>
                {t("openLog")}
              </Button>
              {link ? (
                <Button component="a" href={link} download leftSection={<IconDownload size={16} />}>
                  {t("download")}
                </Button>
              ) : null}
            </>
          ) : (
            <Button loading={make.isPending} onClick={() => make.mutate()}>
              {t("submit")}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  )
}
