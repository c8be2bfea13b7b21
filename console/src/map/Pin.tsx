/** A drop pin whose tip is the place. */
export function Pin({ color = "#1f7a63", label }: { color?: string; label: string }) {
  return (
    <svg className="map-pin" viewBox="0 0 30 38" role="img" aria-label={label}>
      <title>{label}</title>
      <path
        d="M15 37C15 37 28 23.6 28 14.6A13 13 0 1 0 2 14.6C2 23.6 15 37 15 37Z"
        fill={color}
        stroke="#fff"
        strokeWidth="2"
      />
      <circle cx="15" cy="14.5" r="4.6" fill="#fff" />
    </svg>
  )
}
