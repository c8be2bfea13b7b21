import "./StatusBadge.css"
/** A state by form and word, so that it does not hang on colour alone. */
export function StatusBadge({ status, label }: { status: string; label: string }) {
  return (
    <span className="status" data-status={status}>
      <span className="status-mark" aria-hidden />
      {label}
    </span>
  )
}
