import "./PageHeader.css"
import type { ReactNode } from "react"

export interface PageHeaderProps {
  title: string
  /** A short count or state next to the title. */
  detail?: ReactNode
  children?: ReactNode
}

export function PageHeader({ title, detail, children }: PageHeaderProps) {
  return (
    <header className="page-header">
      <h1>{title}</h1>
      {detail ? <span className="page-header-detail">{detail}</span> : null}
      {children ? <div className="page-header-actions">{children}</div> : null}
    </header>
  )
}
