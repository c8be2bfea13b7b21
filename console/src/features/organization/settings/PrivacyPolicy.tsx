import { Anchor, Button, Group, Stack, Textarea } from "@mantine/core"
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type FormEvent, useState } from "react"
import { ApiError, api, responseOf } from "../../../api/client.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { FormError } from "../../../ui/FormError.tsx"
import { useLeaveWarning } from "../../../ui/leave-warning.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { settingsMessages } from "./messages.ts"

const policyQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ["privacy-policy", organizationId],
    queryFn: async ({ signal }) => {
      const params = { path: { organizationId } }
      try {
        return (await responseOf(api.GET("/api/v3/privacy-policy/{organizationId}", { params, signal }))).data
          .description
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return ""
        throw error
      }
    },
  })

/** What the organization tells people about their data: written here, read by anybody with the link. */
export function PrivacyPolicy() {
  const t = useMessages(settingsMessages)
  const { organization, may } = useSession()
  const client = useQueryClient()
  const query = policyQuery(organization.id)
  const { data: now } = useQuery(query)
  const [typed, setTyped] = useState<string>()
  const text = typed ?? now ?? ""
  const params = { path: { organizationId: organization.id } }
  const save = useMutation({
    mutationFn: async () => {
      const description = text.trim()
      if (description) {
        const body = { organizationId: organization.id, description }
        await responseOf(api.POST("/api/v3/privacy-policy", { body }))
      } else await responseOf(api.DELETE("/api/v3/privacy-policy/{organizationId}", { params }))
      await client.invalidateQueries({ queryKey: query.queryKey })
      setTyped(undefined)
      notifyDone(t("saved"))
    },
  })
  const isChanged = now !== undefined && text.trim() !== now.trim()
  useLeaveWarning(isChanged && !save.isPending)
  if (!may("edit/organization")) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" mt="xl">
        <Textarea
          label={t("privacy")}
          description={t("privacyText")}
          autosize
          minRows={3}
          maxRows={16}
          value={text}
          onChange={(event) => setTyped(event.currentTarget.value)}
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
    </form>
  )
}
