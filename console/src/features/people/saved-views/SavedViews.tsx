import { Popover } from "@mantine/core"
import { IconBookmark } from "@tabler/icons-react"
import { lazy, Suspense, useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { defineMessages } from "../../../i18n/messages.ts"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import type { SavedViewsProps } from "./ViewList.tsx"

const messages = defineMessages("people.savedViews", { views: "Views" })
const ViewList = lazy(() => import("./ViewList.tsx"))

/** A button that opens the saved views of a list; they are loaded when it is pressed. */
export function SavedViews({ list, content, onChoose }: SavedViewsProps) {
  const t = useMessages(messages)
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus shadow="md">
      <Popover.Target>
        <ActionButton
          icon={IconBookmark}
          label={t("views")}
          aria-label={t("views")}
          title={t("views")}
          className="views-button"
          variant="default"
          onClick={() => setOpen((was) => !was)}
        />
      </Popover.Target>
      <Popover.Dropdown aria-label={t("views")}>
        <Suspense fallback={null}>
          {isOpen ? (
            <ViewList
              list={list}
              content={content}
              onChoose={(chosen) => {
                setOpen(false)
                onChoose(chosen)
              }}
            />
          ) : null}
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  )
}
