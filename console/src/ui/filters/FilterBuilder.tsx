import "./filters.css"
import { Popover } from "@mantine/core"
import { IconFilterPlus } from "@tabler/icons-react"
import { lazy, Suspense, useState } from "react"
import { useMessages } from "../../i18n/language.tsx"
import { ActionButton } from "../actions/ActionButton.tsx"
import type { FilterPanelProps } from "./FilterPanel.tsx"
import { conditionsIn } from "./filter-draft.ts"
import { builderMessages } from "./filter-messages.ts"

const FilterPanel = lazy(() => import("./FilterPanel.tsx"))

/** A button that opens the builder of conditions over all fields of a list. */
export function FilterBuilder({ fields, filter, onChange }: FilterPanelProps) {
  const t = useMessages(builderMessages)
  const [isOpen, setOpen] = useState(false)
  const count = conditionsIn(filter)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus shadow="md">
      <Popover.Target>
        <ActionButton
          icon={IconFilterPlus}
          label={count > 0 ? t("conditionsSet", { count }) : t("conditions")}
          variant={count > 0 ? "light" : "default"}
          onClick={() => setOpen((was) => !was)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={t("conditions")}>
        <Suspense fallback={null}>
          {isOpen ? (
            <FilterPanel
              fields={fields}
              filter={filter}
              onChange={(next) => {
                setOpen(false)
                onChange(next)
              }}
            />
          ) : null}
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
