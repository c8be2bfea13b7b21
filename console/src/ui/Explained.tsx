import { cloneElement, lazy, type ReactElement, Suspense } from "react"

const ReasonTooltip = lazy(() => import("./ReasonTooltip.tsx"))

interface Explainable {
  disabled?: boolean
  "data-disabled"?: boolean
  onClick?: (event: React.MouseEvent) => void
}

/**
 * A button that is disabled for a reason says it: on hover, on focus and to screen readers. It stays
 * focusable, since nobody can reach the reason of a button that is skipped.
 */
export function Explained({
  reason,
  children,
}: {
  reason: string | undefined
  children: ReactElement<Explainable>
}) {
  if (reason === undefined) return children
  const explained = cloneElement(children, {
    "data-disabled": true,
    onClick: (event: React.MouseEvent) => event.preventDefault(),
    ...({ "aria-disabled": true, "aria-description": reason } as object),
  })
  return (
    <Suspense fallback={explained}>
      <ReasonTooltip reason={reason}>{explained}</ReasonTooltip>
    </Suspense>
  )
}
