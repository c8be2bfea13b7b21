/** Twelve colours that stay apart on both themes; more vehicles begin again. */
const colors = [
  "#2f7d5b",
  "#c2572b",
  "#3a6fb0",
  "#a03c78",
  "#8a7a12",
  "#5b4bb5",
  "#0f8a94",
  "#b3372f",
  "#5f8f1e",
  "#7a5230",
  "#4f6d7a",
  "#c98a00",
]

export function routeColor(index: number): string {
  return colors[index % colors.length] ?? "#2f7d5b"
}
