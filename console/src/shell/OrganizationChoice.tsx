import { Indicator, Menu, UnstyledButton } from "@mantine/core"
import { IconCheck, IconMailOpened, IconPlus, IconSelector } from "@tabler/icons-react"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import { errorMessages, errorText } from "../api/error-text.ts"
import { server } from "../api/server.ts"
import {
  myInvitationsQuery,
  myOrganizationsQuery,
  openOrganization,
} from "../features/people/memberships/memberships.queries.ts"
import { membershipMessages } from "../features/people/memberships/messages.ts"
import { useMessages } from "../i18n/language.tsx"
import { useSession } from "../session/session.ts"
import { notifyDone, notifyFailed } from "../ui/notify.ts"
import { OrganizationMark } from "./Brand.tsx"
import { shellMessages } from "./messages.ts"
import { OrganizationName } from "./OrganizationName.tsx"

const CreateOrganizationDialog = lazy(
  () => import("../features/people/memberships/CreateOrganizationDialog.tsx"),
)

/** The others of this person's organizations, invitations and a button to create one. */
export default function OrganizationChoice() {
  const t = useMessages(shellMessages)
  const tMember = useMessages(membershipMessages)
  const tError = useMessages(errorMessages)
  const { organization, may } = useSession()
  const [isCreating, setCreating] = useState(false)
  const client = useQueryClient()
  const { data: organizations = [] } = useQuery(myOrganizationsQuery)
  const { data: invitations = [] } = useQuery(myInvitationsQuery)
  const failed = (error: unknown) => notifyFailed(t("organization"), errorText(error, tError))
  const change = useMutation({
    mutationFn: (organizationId: string) => {
      client.clear()
      return openOrganization(organizationId)
    },
    onError: failed,
  })
  const accept = useMutation({
    mutationFn: (invitation: { organizationId: string; companyName: string }) =>
      server.post("/api/v3/invitation/accept", { body: { organizationId: invitation.organizationId } }),
    onSuccess: async (_answer, { companyName }) => {
      notifyDone(tMember("accepted", { name: companyName }))
      await Promise.all([
        client.invalidateQueries({ queryKey: myOrganizationsQuery.queryKey }),
        client.invalidateQueries({ queryKey: myInvitationsQuery.queryKey }),
      ])
    },
    onError: failed,
  })
  return (
    <>
      <Menu position="bottom-start" width={250}>
        <Menu.Target>
          <UnstyledButton className="organization" aria-label={`${t("organization")}: ${organization.name}`}>
            <Indicator disabled={invitations.length === 0} color="yellow" size={9}>
              <OrganizationMark />
            </Indicator>
            <OrganizationName />
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
          {invitations.length > 0 ? (
            <>
              <Menu.Divider />
              <Menu.Label>{tMember("invitations")}</Menu.Label>
              {invitations.map((invitation) => (
                <Menu.Item
                  key={invitation.organizationId}
                  leftSection={<IconMailOpened size={16} />}
                  onClick={() => accept.mutate(invitation)}
                >
                  {tMember("accept")}: {invitation.companyName}
                </Menu.Item>
              ))}
            </>
          ) : null}
          {may("create/organization") ? (
            <>
              <Menu.Divider />
              <Menu.Item leftSection={<IconPlus size={16} />} onClick={() => setCreating(true)}>
                {tMember("create")}
              </Menu.Item>
            </>
          ) : null}
        </Menu.Dropdown>
      </Menu>
      <Suspense fallback={null}>
        {isCreating ? <CreateOrganizationDialog onClose={() => setCreating(false)} /> : null}
      </Suspense>
    </>
  )
}
