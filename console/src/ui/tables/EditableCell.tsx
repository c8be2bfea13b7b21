import { IconPencil } from "@tabler/icons-react"
import { type KeyboardEvent, type ReactNode, Suspense, useRef, useState } from "react"
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
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpen(false)
    // The keyboard goes on from here.
    button.current?.focus()
  }
  return (
    <span className="editable-cell">
      <span className="truncate">{children}</span>
      <button
        ref={button}
        type="button"
        className="cell-edit"
        {...cellEditing}
        aria-label={hint}
        title={hint}
        onClick={(event) => {
          event.stopPropagation()
          setOpen(true)
        }}
      >
        <IconPencil size={14} aria-hidden />
      </button>
      {isOpen ? <Suspense fallback={null}>{form(close)}</Suspense> : null}
    </span>
  )
}

export const cellEditingSelector = "[data-cell-edit]"

/** Of what changes a value in place: the keyboard reaches it with F2. */
export const cellEditing = { tabIndex: -1, "data-cell-edit": true, onKeyDown: goToNext }

/** Arrows go to the next field of the row, Escape back to the rows. */
function goToNext(event: KeyboardEvent<HTMLElement>): void {
  const { currentTarget } = event
  const buttons = [
    ...(currentTarget.closest(".grid-row")?.querySelectorAll<HTMLElement>(cellEditingSelector) ?? []),
  ]
  if (event.key === "Escape") currentTarget.closest<HTMLElement>("[role=grid]")?.focus()
  else buttons[buttons.indexOf(currentTarget) + stepOf(event.key)]?.focus()
}
