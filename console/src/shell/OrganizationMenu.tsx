import { useSession } from "../session/session.ts"
import { BrandMark } from "./Brand.tsx"

/** The organization that everything on the screen belongs to. */
export function OrganizationMenu() {
  const { organization } = useSession()
  return (
    <div className="organization">
      <BrandMark />
      <span className="organization-name">{organization.name || "Fieldway"}</span>
    </div>
  )
}
