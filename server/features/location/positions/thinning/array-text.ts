/**
 * Columns as PostgreSQL array text, for inserts of thousands of rows in one statement. The driver's own
 * conversion quotes and escapes every number; that alone took longer than the insert.
 */
export function numberArray(values: readonly (number | null)[]): string {
  if (values.every((value) => value === null)) return "{}"
  // An array's join writes null as nothing; one that has none needs no copy.
  return values.includes(null)
    ? `{${values.map((value) => (value === null ? "NULL" : value)).join(",")}}`
    : `{${values.join(",")}}`
}

export function textArray(values: readonly (string | null)[]): string {
  if (values.every((value) => value === null)) return "{}"
  return `{${values.map((value) => (value === null ? "NULL" : quoted(value))).join(",")}}`
}

function quoted(text: string): string {
  return /["\\]/.test(text) ? `"${text.replace(/["\\]/g, "\\$&")}"` : `"${text}"`
}
