import "./OrganizationName.css"
import { useSession } from "../session/session.ts"

export function OrganizationName() {
  const { organization } = useSession()
  return <span className="organization-name">{organization.name || "Fieldway"}</span>
}
