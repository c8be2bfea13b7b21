import { Drawer, type DrawerProps } from "@mantine/core"
import { useMessages } from "../../i18n/language.tsx"
import { shellMessages } from "../../shell/messages.ts"
import { useFocusBack } from "./use-focus-back.ts"

/** Details at the right edge, over the page. */
export function Panel(props: Omit<DrawerProps, "opened" | "position" | "closeButtonProps">) {
  const t = useMessages(shellMessages)
  useFocusBack()
  return <Drawer opened position="right" closeButtonProps={{ "aria-label": t("close") }} {...props} />
}
