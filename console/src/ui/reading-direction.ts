/** Whether lines run from right to left, as in Arabic. Rows, columns and time axes then do too; maps do not. */
export function isRightToLeft(): boolean {
  return document.documentElement.dir === "rtl"
}

/** How far an x coordinate is from the start of a box, as part of its width. */
export function shareFromStart(x: number, box: { left: number; width: number }): number {
  const share = (x - box.left) / box.width
  return isRightToLeft() ? 1 - share : share
}

/** 1 for the arrow key that leads to what follows in a row, -1 for the one that leads back, 0 for other keys. */
export function stepOf(key: string): -1 | 0 | 1 {
  const [next, previous] = isRightToLeft() ? ["ArrowLeft", "ArrowRight"] : ["ArrowRight", "ArrowLeft"]
  return key === next ? 1 : key === previous ? -1 : 0
}
