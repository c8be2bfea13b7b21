import { useQuery } from "@tanstack/react-query"
import { lazy, Suspense } from "react"
import {
  myInvitationsQuery,
  myOrganizationsQuery,
} from "../features/people/memberships/memberships.queries.ts"
import { useSession } from "../session/session.ts"
import { OrganizationMark } from "./Brand.tsx"
import { OrganizationName } from "./OrganizationName.tsx"

const OrganizationChoice = lazy(() => import("./OrganizationChoice.tsx"))

/** The current organization, with a menu for those who have others, an invitation, or may create one. */
export function OrganizationMenu() {
  const { may } = useSession()
  const { data: organizations = [] } = useQuery(myOrganizationsQuery)
  const { data: invitations = [] } = useQuery(myInvitationsQuery)
  const alone = (
    <div className="organization">
      <OrganizationMark />
      <OrganizationName />
    </div>
  )
  if (organizations.length < 2 && invitations.length === 0 && !may("create/organization")) return alone
  return (
    <Suspense fallback={alone}>
      <OrganizationChoice />
    </Suspense>
  )
}
