import { Button, Group, Select, TextInput, UnstyledButton } from "@mantine/core"
import { IconTrash, IconUsersGroup } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { IconButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { teamsQuery } from "../../people/users/teams.queries.ts"
import { useHubNames } from "../../work/tasks/people.ts"
import { hubsQuery } from "../hubs/hubs.queries.ts"
import { settingsMessages } from "./messages.ts"
import { type EditedTeam, TeamDialog } from "./TeamDialog.tsx"

export const loader: PageLoader = ({ client }) =>
  Promise.all([client.ensureQueryData(teamsQuery), client.ensureQueryData(hubsQuery)])

export function TeamsPage() {
  const t = useMessages(settingsMessages)
  const { may } = useSession()
  const hubs = useHubNames()
  const [name, setName] = useState("")
  const [hubChoice, setHubChoice] = useState<string | null>(null)
  const hubId = hubChoice ?? [...hubs.keys()][0] ?? null
  const [opened, setOpened] = useState<EditedTeam>()
  const { data: teams } = useSuspenseQuery(teamsQuery)
  const make = useAction(
    () => server.post("/api/v3/team", { body: { name: name.trim(), hubId: hubId ?? "" } }),
    { refreshes: [teamsQuery.queryKey], done: () => t("saved"), onDone: () => setName("") },
  )
  const remove = useAction(
    (team: { _id: string; name: string }) => server.delete("/api/v3/team/{teamId}", { teamId: team._id }),
    { refreshes: [teamsQuery.queryKey], failed: (team) => team.name },
  )
  return (
    <>
      {may("add/team") ? (
        <Form onSubmit={() => make.mutate()}>
          <Group px={20} pb="sm" align="end" gap="xs">
            <TextInput label={t("newTeam")} required {...bindText(name, setName)} />
            <Select
              label={t("hub")}
              data={[...hubs].map(([value, label]) => ({ value, label }))}
              value={hubId}
              onChange={setHubChoice}
            />
            <Button type="submit" loading={make.isPending} disabled={!hubId}>
              {t("create")}
            </Button>
          </Group>
          <FormError error={make.error} />
        </Form>
      ) : null}
      {teams.length === 0 ? (
        <EmptyState icon={IconUsersGroup} title={t("teamsEmpty")} text={t("teamsText")} />
      ) : (
        <DataTable
          rows={teams}
          keyOf={({ _id }) => _id}
          columns={[
            {
              title: t("name"),
              kind: "name",
              cell: (team) => (
                <UnstyledButton className="row-link" onClick={() => setOpened(team)}>
                  {team.name}
                </UnstyledButton>
              ),
            },
            { title: t("hub"), kind: "quiet", cell: (team) => hubs.get(team.hubId) ?? "–" },
            { title: t("people"), cell: (team) => team.totalUser },
            {
              title: t("delete"),
              kind: "actions",
              cell: (team) =>
                may("delete/team") ? (
                  <IconButton
                    icon={IconTrash}
                    label={`${t("delete")}: ${team.name}`}
                    onClick={() => remove.mutate(team)}
                  />
                ) : null,
            },
          ]}
        />
      )}
      {opened ? <TeamDialog team={opened} onClose={() => setOpened(undefined)} /> : null}
    </>
  )
}
