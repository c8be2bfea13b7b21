import {
  ActionIcon,
  type ActionIconProps,
  Button,
  type ButtonProps,
  createPolymorphicComponent,
} from "@mantine/core"
import type { Icon } from "@tabler/icons-react"
import { Explained } from "../Explained.tsx"

interface ActionButtonProps extends Omit<ButtonProps, "leftSection" | "children"> {
  icon: Icon
  label: string
  /** Why the action is not possible; without one it is. */
  reason?: string | undefined
}

/** A button with an icon and a word. */
export const ActionButton = createPolymorphicComponent<"button", ActionButtonProps>(
  ({ icon: Shape, label, reason, ...button }: ActionButtonProps) => (
    <Explained reason={reason}>
      <Button leftSection={<Shape size={button.size === "xs" ? 15 : 16} aria-hidden />} {...button}>
        {label}
      </Button>
    </Explained>
  ),
)

interface IconButtonProps extends Omit<ActionIconProps, "children"> {
  icon: Icon
  label: string
  /** Pixels. */
  iconSize?: number
}

/** A button that shows its icon alone; its label is for screen readers. */
export const IconButton = createPolymorphicComponent<"button", IconButtonProps>(
  ({ icon: Shape, label, iconSize = 16, ...button }: IconButtonProps) => (
    <ActionIcon aria-label={label} {...button}>
      <Shape size={iconSize} aria-hidden />
    </ActionIcon>
  ),
)
