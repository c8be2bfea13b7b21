import { IconPencil } from "@tabler/icons-react"
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useState } from "react"
import { stepOf } from "../../../../ui/reading-direction.ts"
import type { FlowComponent } from "../../flows/flows.queries.ts"
import type { ListedTask } from "../tasks.queries.ts"

const CellForm = lazy(() => import("./CellForm.tsx"))

export interface CellField {
  /** As the API calls it. */
  field: string
  title: string
  /** Of the flows that have the component, by the flow's id. */
  components?: ReadonlyMap<string, FlowComponent> | undefined
}

interface EditableCellProps {
  task: ListedTask
  field: CellField
  hint: string
  children: ReactNode
}

/** A value with a button that changes it in place. A scrolling grid renders hundreds of these: the form is loaded when it is opened. */
export function EditableCell({ task, field, hint, children }: EditableCellProps) {
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
      {isOpen ? (
        <Suspense fallback={null}>
          <CellForm task={task} field={field} onClose={() => setOpen(false)} />
        </Suspense>
      ) : null}
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
