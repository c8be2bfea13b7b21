import { Select, TextInput } from "@mantine/core"
import { useState } from "react"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { FormDialog } from "../../../ui/forms/FormDialog.tsx"
import { teamsQuery } from "../../people/users/teams.queries.ts"
import { useHubNames } from "../../work/tasks/people.ts"
import { settingsMessages } from "./messages.ts"

export interface EditedTeam {
  _id: string
  name: string
  hubId: string
}

/** Name and hub of a team, and what happened to it. */
export function TeamDialog({ team, onClose }: { team: EditedTeam; onClose(): void }) {
  const t = useMessages(settingsMessages)
  const { may } = useSession()
  const hubs = useHubNames()
  const [name, setName] = useState(team.name)
  const [hubId, setHubId] = useState(team.hubId)
  const mayEdit = may("edit/team")
  const save = useAction(
    () => server.put("/api/v3/team/{teamId}", { teamId: team._id, body: { name: name.trim(), hubId } }),
    { refreshes: [teamsQuery.queryKey], done: () => t("saved"), onDone: onClose },
  )
  return (
    <FormDialog
      title={team.name}
      request={save}
      isDisabled={!mayEdit}
      onSubmit={() => save.mutate()}
      onClose={onClose}
      history={{ objectType: "team", objectId: team._id }}
    >
      <TextInput
        label={t("name")}
        required
        withAsterisk={false}
        disabled={!mayEdit}
        data-autofocus
        {...bindText(name, setName)}
      />
      <Select
        label={t("hub")}
        allowDeselect={false}
        disabled={!mayEdit}
        data={[...hubs].map(([value, label]) => ({ value, label }))}
        value={hubId}
        onChange={(value) => setHubId(value ?? team.hubId)}
      />
    </FormDialog>
  )
}
