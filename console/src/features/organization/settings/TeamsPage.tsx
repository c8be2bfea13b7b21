import { ActionIcon, Button, Group, Select, TextInput } from "@mantine/core"
import { IconTrash, IconUsersGroup } from "@tabler/icons-react"
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { api, responseOf } from "../../../api/client.ts"
import { errorMessages, errorText } from "../../../api/error-text.ts"
import { useMessages } from "../../../i18n/language.tsx"
import type { PageLoader } from "../../../page-loader.ts"
import { useSession } from "../../../session/session.ts"
import { EmptyState } from "../../../ui/EmptyState.tsx"
import { FormError } from "../../../ui/FormError.tsx"
import { notifyDone, notifyFailed } from "../../../ui/notify.ts"
import { teamsQuery } from "../../people/users/teams.queries.ts"
import { useHubNames } from "../../work/tasks/people.ts"
import { hubsQuery } from "../hubs/hubs.queries.ts"
import { settingsMessages } from "./messages.ts"

export const loader: PageLoader = ({ client }) =>
  Promise.all([client.ensureQueryData(teamsQuery), client.ensureQueryData(hubsQuery)])

export function TeamsPage() {
  const t = useMessages(settingsMessages)
  const tError = useMessages(errorMessages)
  const { may } = useSession()
  const client = useQueryClient()
  const hubs = useHubNames()
  const [name, setName] = useState("")
  const [hubChoice, setHubChoice] = useState<string | null>(null)
  const hubId = hubChoice ?? [...hubs.keys()][0] ?? null
  const { data: teams } = useSuspenseQuery(teamsQuery)
  const refresh = () => client.invalidateQueries({ queryKey: teamsQuery.queryKey })
  const make = useMutation({
    mutationFn: () =>
      responseOf(api.POST("/api/v3/team", { body: { name: name.trim(), hubId: hubId ?? "" } })),
    onSuccess: async () => {
      notifyDone(t("saved"))
      setName("")
      await refresh()
    },
  })
  const remove = useMutation({
    mutationFn: (team: { _id: string; name: string }) =>
      responseOf(api.DELETE("/api/v3/team/{teamId}", { params: { path: { teamId: team._id } } })),
    onSuccess: refresh,
    onError: (error, team) => notifyFailed(team.name, errorText(error, tError)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <>
      {may("add/team") ? (
        <form onSubmit={submit}>
          <Group px={20} pb="sm" align="end" gap="xs">
            <TextInput
              label={t("newTeam")}
              required
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
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
        </form>
      ) : null}
      {teams.length === 0 ? (
        <EmptyState icon={IconUsersGroup} title={t("teamsEmpty")} text={t("teamsText")} />
      ) : (
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t("name")}</th>
              <th>{t("hub")}</th>
              <th>{t("people")}</th>
              <th aria-label={t("remove")} />
            </tr>
          </thead>
          <tbody>
            {teams.map((team) => (
              <tr key={team._id}>
                <td style={{ fontWeight: 550 }}>{team.name}</td>
                <td className="quiet">{hubs.get(team.hubId) ?? "–"}</td>
                <td>{team.totalUser}</td>
                <td align="right">
                  {may("delete/team") ? (
                    <ActionIcon
                      aria-label={`${t("remove")}: ${team.name}`}
                      onClick={() => remove.mutate(team)}
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
