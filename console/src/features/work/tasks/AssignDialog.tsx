import { Button, Group, Progress, Stack } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { ManySelect } from "../../../ui/forms/ManySelect.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { teamsQuery } from "../../people/users/teams.queries.ts"
import { BulkRefusals } from "./BulkRefusals.tsx"
import { taskMessages } from "./messages.ts"
import { useAssignable } from "./people.ts"
import { assignTasks } from "./task-actions.ts"

export interface AssignDialogProps {
  taskIds: readonly string[]
  /** As far as they are known. */
  hubIds: readonly string[]
  onClose(): void
  onDone(): void
}

/** Assigns the selected tasks to people, or to all people of a team. Rejections stay on the screen with their reasons. */
export function AssignDialog({ taskIds, hubIds, onClose, onDone }: AssignDialogProps) {
  const t = useMessages(taskMessages)
  const { may } = useSession()
  const { data: teams = [] } = useQuery({ ...teamsQuery, enabled: may("view/team") })
  const [emails, setEmails] = useState<string[]>([])
  const people = useAssignable(hubIds, emails)
  const [sent, setSent] = useState(0)
  const assign = useAction(() => assignTasks(taskIds, emails, setSent), {
    refreshes: [["tasks"]],
    done: ({ done: count }) =>
      count > 0 ? t(emails.length > 0 ? "assignDone" : "unassignDone", { count }) : undefined,
    onDone: ({ refused: left }) => left.length === 0 && onDone(),
  })
  const refused = assign.data?.refused ?? []
  return (
    <OpenModal onClose={onClose} title={t("assignTitle", { count: taskIds.length })}>
      <Stack gap="sm">
        <ManySelect
          label={t("assignTo")}
          description={hubIds.length > 1 ? `${t("assignHint")} ${t("assignHubs")}` : t("assignHint")}
          data={[
            ...(teams.length > 0
              ? [
                  {
                    group: t("groupTeams"),
                    items: teams.map((team) => ({ value: team._id, label: team.name })),
                  },
                ]
              : []),
            { group: t("groupPeople"), items: people },
          ]}
          value={emails}
          onChange={setEmails}
          searchable
          data-autofocus
          disabled={assign.isPending}
        />
        {assign.isPending && taskIds.length > 2_000 ? (
          <Progress
            value={(100 * sent) / taskIds.length}
            aria-label={t("working", { done: sent, count: taskIds.length })}
          />
        ) : null}
        <FormError error={assign.error} />
        <BulkRefusals refused={refused} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={refused.length > 0 ? onDone : onClose}>
            {refused.length > 0 ? t("close") : t("cancel")}
          </Button>
          {refused.length === 0 ? (
            <Button loading={assign.isPending} onClick={() => assign.mutate()}>
              {emails.length > 0 ? t("assignSubmit") : t("unassign")}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </OpenModal>
  )
}
