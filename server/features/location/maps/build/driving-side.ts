/** Countries and territories with traffic on the left: ISO 3166-1 alpha-2. */
const onLeft = new Set(
  `ag ai au bb bd bm bn bs bt bw cc ck cx cy dm fj fk gb gd gg gy hk id ie im in je jm jp ke ki kn ky lc lk ls mo ms mt
  mu mv mw my mz na nf np nr nu nz pg pk pn sb sc sg sh sr sz tc th tk tl to tt tv tz ug vc vg vi ws za zm zw`.split(
    /\s+/,
  ),
)

export const drivesOnLeftIn = (country: string | undefined): boolean =>
  country !== undefined && onLeft.has(country)
