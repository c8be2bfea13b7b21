import { Menu, UnstyledButton } from "@mantine/core"
import { IconCheck, IconSelector } from "@tabler/icons-react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { answerOf, api } from "../api/client.ts"
import { errorMessages, errorText } from "../api/error-text.ts"
import { useMessages } from "../i18n/language.tsx"
import { useSession } from "../session/session.ts"
import { notifyFailed } from "../ui/notify.ts"
import { BrandMark } from "./Brand.tsx"
import { shellMessages } from "./messages.ts"

/** The organization that everything on the screen belongs to, and the others that this person works for. */
export function OrganizationMenu() {
  const t = useMessages(shellMessages)
  const tError = useMessages(errorMessages)
  const { organization } = useSession()
  const client = useQueryClient()
  const { data: organizations = [] } = useQuery({
    queryKey: ["my-organizations"],
    queryFn: async ({ signal }) =>
      (await answerOf(api.GET("/api/v3/auth/my-organizations", { signal }))).data,
  })
  const change = useMutation({
    mutationFn: (organizationId: string) =>
      answerOf(
        api.POST("/api/v3/auth/switch-organization", {
          body: { organizationId },
          headers: { "X-Fieldway-Console": "1" },
        }),
      ),
    onSuccess: () => {
      client.clear()
      // Everything on the screen belongs to the other organization now: start anew.
      window.location.assign("/")
    },
    onError: (error) => notifyFailed(t("organization"), errorText(error, tError)),
  })
  const name = <span className="organization-name">{organization.name || "Fieldway"}</span>
  if (organizations.length < 2)
    return (
      <div className="organization">
        <BrandMark />
        {name}
      </div>
    )
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <UnstyledButton className="organization" aria-label={`${t("organization")}: ${organization.name}`}>
          <BrandMark />
          {name}
          <IconSelector size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t("organization")}</Menu.Label>
        {organizations.map((entry) => (
          <Menu.Item
            key={entry._id}
            disabled={entry.isCurrent}
            rightSection={entry.isCurrent ? <IconCheck size={14} /> : null}
            onClick={() => change.mutate(entry._id)}
          >
            {entry.companyName}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
