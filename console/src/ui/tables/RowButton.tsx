import { Button, type ButtonProps } from "@mantine/core"

interface RowButtonProps extends Omit<ButtonProps, "children" | "size"> {
  label: string
  /** What the row is about: screen readers read it after the label. */
  of: string
  onClick(): void
}

/** A button of a row in a table. */
export function RowButton({ label, of, ...button }: RowButtonProps) {
  return (
    <Button size="compact-sm" variant="default" aria-label={`${label}: ${of}`} {...button}>
      {label}
    </Button>
  )
}
