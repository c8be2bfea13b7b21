/** Letters of a column, counted from 0: `A`, `Z`, `AA`. */
export function columnLetters(column: number): string {
  let letters = ""
  for (let rest = column + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return letters
}

/** Cell address as a spreadsheet shows it: column 0 of row 7 is `A7`. */
export function cellAddress(column: number, rowNumber: number): string {
  return columnLetters(column) + rowNumber
}
