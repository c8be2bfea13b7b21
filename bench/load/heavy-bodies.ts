/** Rows of an import of data records. */
export function csvOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) => `N-${row},Depot ${row} of the Harbour\n`)
  return `Key,Note\n${lines.join("")}`
}

/** A plan of 300 visits and 20 vehicles. */
export function planOf(hubId: string) {
  return {
    hubId,
    visits: Array.from({ length: 300 }, (_, index) => ({
      id: `v${index}`,
      name: `Visit ${index}`,
      address: `Street ${index}`,
      coordinate: `${52 + ((index * 7) % 100) / 250},${4.1 + ((index * 13) % 100) / 200}`,
      visitTime: 5,
      capacity: { weight: 1 + (index % 50) },
    })),
    vehicles: Array.from({ length: 20 }, (_, index) => ({
      id: `van${index}`,
      name: `Van ${index}`,
      speed: 30,
      capacity: { weight: { min: 0, max: 1000 } },
      workingTime: { startTime: "08:00", endTime: "17:00" },
    })),
    configuration: { returnToHub: true },
    seconds: 10,
  }
}
