import { useMemo } from "react"
import { useSession } from "../../../session/session.ts"

/** Permissions in the words of the roles page; a name without a label stays as it is. */
export function usePermissionLabels(): (name: string) => string {
  const { user } = useSession()
  return useMemo(() => {
    const labels = new Map((user.role?.permissions ?? []).map((entry) => [entry.name, entry.displayName]))
    return (name: string) => labels.get(name) ?? name
  }, [user])
}
