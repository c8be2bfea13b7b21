import { Group, Text } from "@mantine/core"
import { IconPlugConnectedX } from "@tabler/icons-react"
import { useSuspenseQuery } from "@tanstack/react-query"
import { useMessages } from "../../../i18n/language.tsx"
import { IconButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { usePermissionLabels } from "../../extensions/plugins/permission-labels.ts"
import { disconnect, type Grant, grantsQuery } from "./applications.queries.ts"
import { applicationMessages } from "./messages.ts"

/** What the person has allowed applications; nothing while there is none. */
export function ConnectedApplications() {
  const t = useMessages(applicationMessages)
  const labelOf = usePermissionLabels()
  const { data: grants } = useSuspenseQuery(grantsQuery)
  const end = useAction((grant: Grant) => disconnect(grant._id), { refreshes: [grantsQuery.queryKey] })
  if (grants.length === 0) return null
  return (
    <section aria-label={t("connected")} style={{ padding: 20 }}>
      <h2>{t("connected")}</h2>
      <Text size="sm" className="quiet">
        {t("connectedText")}
      </Text>
      <FormError error={end.error} />
      {grants.map((grant) => (
        <Group key={grant._id} justify="space-between" wrap="nowrap" py="xs">
          <div>
            <strong>{grant.name}</strong>
            <Text size="sm" className="quiet">
              {grant.scopes.map(labelOf).join(", ")}
            </Text>
          </div>
          <IconButton
            icon={IconPlugConnectedX}
            label={`${t("disconnect")}: ${grant.name}`}
            onClick={() => end.mutate(grant)}
          />
        </Group>
      ))}
    </section>
  )
}
