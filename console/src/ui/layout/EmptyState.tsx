import "./EmptyState.css"
import { ThemeIcon } from "@mantine/core"
import type { Icon } from "@tabler/icons-react"
import type { ReactNode } from "react"

export interface EmptyStateProps {
  icon: Icon
  title: string
  text: string
  /** The first step: usually one button. */
  children?: ReactNode
}

/** Explains the purpose of a page without content, and offers the first step. */
export function EmptyState({ icon: StateIcon, title, text, children }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <ThemeIcon size={48} radius="xl" variant="light" color="pine" aria-hidden>
        <StateIcon size={24} stroke={1.6} />
      </ThemeIcon>
      <h2>{title}</h2>
      <p>{text}</p>
      {children ? <div className="empty-state-actions">{children}</div> : null}
    </div>
  )
}
