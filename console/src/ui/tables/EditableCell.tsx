import { IconPencil } from "@tabler/icons-react"
import { type KeyboardEvent, type ReactNode, Suspense, useState } from "react"
import { stepOf } from "../reading-direction.ts"

interface EditableCellProps {
  hint: string
  /** Loaded when it is opened: a scrolling grid renders hundreds of cells. */
  form(close: () => void): ReactNode
  children: ReactNode
}

/** A value with a button that changes it in place. */
export function EditableCell({ hint, form, children }: EditableCellProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <span className="editable-cell">
      <span className="truncate">{children}</span>
      <button
        type="button"
        className="cell-edit"
        tabIndex={-1}
        aria-label={hint}
        title={hint}
        onKeyDown={goToNext}
        onClick={(event) => {
          event.stopPropagation()
          setOpen(true)
        }}
      >
        <IconPencil size={14} aria-hidden />
      </button>
      {isOpen ? <Suspense fallback={null}>{form(() => setOpen(false))}</Suspense> : null}
    </span>
  )
}

/** Arrows go to the next field of the row, Escape back to the rows. */
function goToNext(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget } = event
  const buttons = [...(currentTarget.closest(".grid-row")?.querySelectorAll<HTMLElement>(".cell-edit") ?? [])]
  if (event.key === "Escape") currentTarget.closest<HTMLElement>("[role=grid]")?.focus()
  else buttons[buttons.indexOf(currentTarget) + stepOf(event.key)]?.focus()
}
