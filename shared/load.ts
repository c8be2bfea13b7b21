/** The largest demand, capacity, weight or volume. */
export const largestLoad = 9_999_999_999

/** Demands and capacities have six decimals at most: weights such as 799.9968 occur in practice. */
export function isLoad(amount: number): boolean {
  return amount >= 0 && amount <= largestLoad && Number(amount.toFixed(6)) === amount
}
