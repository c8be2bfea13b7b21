import { cloneElement, lazy, type ReactElement, Suspense } from "react"

const ReasonTooltip = lazy(() => import("./ReasonTooltip.tsx"))

interface Explainable {
  disabled?: boolean
  "data-disabled"?: boolean
  onClick?: (event: React.MouseEvent) => void
}

/**
 * A disabled button explains why: on hover, on focus and to screen readers. It stays
 * focusable, since the reason of a skipped button cannot be reached.
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
