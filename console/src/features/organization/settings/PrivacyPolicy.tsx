import { Anchor, Button, Group, Stack, Textarea } from "@mantine/core"
import { queryOptions, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { dataOf, server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { bindText } from "../../../ui/forms/bind.ts"
import { Form } from "../../../ui/forms/Form.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { useLeaveWarning } from "../../../ui/forms/leave-warning.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { settingsMessages } from "./messages.ts"

export const policyQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["privacy-policy", organizationId],
    queryFn: async ({ signal }) => {
      const query = { optional: true }
      const path = "/api/v3/privacy-policy/{organizationId}"
      return (await dataOf(server.get(path, { organizationId, query, signal })))?.description ?? ""
    },
  })

/** The organization's privacy policy: edited here, readable by anyone with the link. */
export function PrivacyPolicy() {
  const t = useMessages(settingsMessages)
  const { organization, may } = useSession()
  const query = policyQuery(organization.id)
  const { data: now } = useQuery(query)
  const [typed, setTyped] = useState<string>()
  const text = typed ?? now ?? ""
  const save = useAction(
    async () => {
      const description = text.trim()
      if (description) {
        const body = { organizationId: organization.id, description }
        await server.post("/api/v3/privacy-policy", { body })
      } else
        await server.delete("/api/v3/privacy-policy/{organizationId}", { organizationId: organization.id })
    },
    {
      refreshes: [query.queryKey],
      onDone: () => {
        setTyped(undefined)
        notifyDone(t("saved"))
      },
    },
  )
  const isChanged = now !== undefined && text.trim() !== now.trim()
  useLeaveWarning(isChanged && !save.isRefreshing)
  if (!may("edit/organization")) return null
  return (
    <Form onSubmit={() => save.mutate()}>
      <Stack gap="sm" mt="xl">
        <Textarea
          label={t("privacy")}
          description={t("privacyText")}
          autosize
          minRows={3}
          maxRows={16}
          {...bindText(text, setTyped)}
        />
        <FormError error={save.error} />
        <Group gap="md">
          <Button type="submit" variant="default" loading={save.isPending} disabled={!isChanged}>
            {t("save")}
          </Button>
          {now ? (
            <Anchor size="sm" href={`/api/v3/privacy-policy/${organization.id}`} target="_blank">
              {t("privacyLink")}
            </Anchor>
          ) : null}
        </Group>
      </Stack>
    </Form>
  )
}
