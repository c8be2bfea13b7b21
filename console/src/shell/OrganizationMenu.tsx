import { Indicator, UnstyledButton } from "@mantine/core"
import { IconSelector } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense, useState } from "react"
import {
  myInvitationsQuery,
  myOrganizationsQuery,
} from "../features/people/memberships/memberships.queries.ts"
import { useMessages } from "../i18n/language.tsx"
import { useSession } from "../session/session.ts"
import { late } from "../ui/late.tsx"
import { BrandMark } from "./Brand.tsx"
import { shellMessages } from "./messages.ts"

const CreateOrganizationDialog = lazy(
  () => import("../features/people/memberships/CreateOrganizationDialog.tsx"),
)
const OrganizationItems = late<{ onCreate(): void }>(() => import("./OrganizationItems.tsx"))

/** The organization that everything on the screen belongs to, the others of this person, and the way to new ones. */
export function OrganizationMenu() {
  const t = useMessages(shellMessages)
  const { organization, may } = useSession()
  const [isCreating, setCreating] = useState(false)
  const { data: organizations = [] } = useQuery(myOrganizationsQuery)
  const { data: invitations = [] } = useQuery(myInvitationsQuery)
  const name = <span className="organization-name">{organization.name || "Fieldway"}</span>
  if (organizations.length < 2 && invitations.length === 0 && !may("create/organization"))
    return (
      <div className="organization">
        <BrandMark />
        {name}
      </div>
    )
  return (
    <>
      <OrganizationItems
        onCreate={() => setCreating(true)}
        button={
          <UnstyledButton className="organization" aria-label={`${t("organization")}: ${organization.name}`}>
            <Indicator disabled={invitations.length === 0} color="yellow" size={9}>
              <BrandMark />
            </Indicator>
            {name}
            <IconSelector size={16} aria-hidden />
          </UnstyledButton>
        }
      />
      <Suspense fallback={null}>
        {isCreating ? <CreateOrganizationDialog onClose={() => setCreating(false)} /> : null}
      </Suspense>
    </>
  )
}
