import { Button, Group, Stack, Switch, Text } from "@mantine/core"
import { IconMail, IconPlus } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { ActionButton } from "../../ui/actions/ActionButton.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { FormError } from "../../ui/forms/FormError.tsx"
import { EmptyState } from "../../ui/layout/EmptyState.tsx"
import { OpenModal } from "../../ui/layout/OpenModal.tsx"
import { RowButton } from "../../ui/tables/RowButton.tsx"
import { insightMessages } from "./messages.ts"
import type { ReportSearch } from "./report-search.ts"
import type { optionsOf } from "./reports.queries.ts"
import { ScheduleForm } from "./ScheduleForm.tsx"
import {
  deleteSchedule,
  type Schedule,
  saveSchedule,
  schedulesQuery,
  trySchedule,
} from "./schedules.queries.ts"

interface SchedulesDialogProps {
  search: ReportSearch
  query: ReturnType<typeof optionsOf>["query"]
  onClose(): void
}

const refreshes = [["report-schedules"]]

/** The reports that are mailed, and a form that adds the one on the page. */
export default function SchedulesDialog({ search, query, onClose }: SchedulesDialogProps) {
  const t = useMessages(insightMessages)
  const { data: schedules, error } = useQuery(schedulesQuery)
  const [edited, setEdited] = useState<Schedule | "new">()
  if (edited)
    return (
      <ScheduleForm
        schedule={edited === "new" ? undefined : edited}
        search={search}
        query={query}
        onClose={() => setEdited(undefined)}
      />
    )
  return (
    <OpenModal
      title={t("schedules")}
      size="lg"
      closeButtonProps={{ "aria-label": t("close") }}
      onClose={onClose}
    >
      <Stack>
        <FormError error={error} />
        {schedules?.length === 0 ? (
          <EmptyState icon={IconMail} title={t("noSchedules")} text={t("noSchedulesText")} />
        ) : null}
        {schedules?.map((schedule) => (
          <ScheduleLine key={schedule._id} schedule={schedule} onEdit={() => setEdited(schedule)} />
        ))}
        <Group>
          <ActionButton icon={IconPlus} label={t("addSchedule")} onClick={() => setEdited("new")} />
        </Group>
      </Stack>
    </OpenModal>
  )
}

function ScheduleLine({ schedule, onEdit }: { schedule: Schedule; onEdit(): void }) {
  const t = useMessages(insightMessages)
  const formats = useFormats()
  const { name, nextTime, sentTime, isActive, error } = schedule
  const change = useAction((isOn: boolean) => saveSchedule(schedule._id, { ...schedule, isActive: isOn }), {
    refreshes,
  })
  const remove = useAction(() => deleteSchedule(schedule._id), {
    refreshes,
    done: () => t("scheduleRemoved", { name }),
  })
  const send = useAction(() => trySchedule(schedule._id), { done: () => t("scheduleTried") })
  return (
    <section aria-label={name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text fw={550}>{name}</Text>
          <Text size="sm" c="dimmed">
            {nextTime ? t("nextTime", { time: formats.dateTime(nextTime) }) : t("isOff")}
            {sentTime ? ` · ${t("sentTime", { time: formats.dateTime(sentTime) })}` : ""}
          </Text>
          {error ? (
            <Text size="sm" c="red">
              {error}
            </Text>
          ) : null}
        </div>
        <Switch
          aria-label={t("scheduleIsOn", { name })}
          checked={isActive}
          onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
        />
      </Group>
      <FormError error={change.error ?? remove.error ?? send.error} />
      <Group gap="xs" mt={4}>
        <Button size="compact-sm" variant="default" onClick={onEdit} aria-label={`${t("change")}: ${name}`}>
          {t("change")}
        </Button>
        <RowButton
          label={t("trySchedule")}
          of={name}
          loading={send.isPending}
          onClick={() => send.mutate()}
        />
        <RowButton label={t("delete")} of={name} onClick={() => remove.mutate()} />
      </Group>
    </section>
  )
}
