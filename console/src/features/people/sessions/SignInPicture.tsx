/** Streets from above with one route through them. */
const streets = [
  "M-20 120 C 160 90, 320 190, 520 150 S 760 60, 900 110",
  "M-20 300 C 120 330, 260 260, 420 300 S 700 360, 900 300",
  "M-20 520 C 180 480, 330 560, 520 500 S 760 470, 900 520",
  "M120 -20 C 150 180, 90 340, 150 520 S 190 760, 150 920",
  "M360 -20 C 330 140, 400 320, 350 500 S 380 760, 340 920",
  "M610 -20 C 640 160, 570 330, 620 520 S 600 740, 640 920",
  "M-20 700 C 200 660, 420 740, 620 690 S 820 700, 900 680",
]
const stops = [
  [132, 316],
  [352, 300],
  [362, 172],
  [604, 140],
  [600, 350],
] as const

export function SignInPicture() {
  return (
    <svg viewBox="0 0 800 900" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <g fill="none" stroke="#ffffff" strokeOpacity="0.1" strokeWidth="14">
        {streets.map((street) => (
          <path key={street} d={street} />
        ))}
      </g>
      <path
        d="M132 316 C 210 310, 280 270, 352 300 C 372 260, 358 210, 362 172 C 440 182, 530 150, 604 140 C 600 210, 575 290, 600 350"
        fill="none"
        stroke="#f2b84b"
        strokeWidth="5"
        strokeLinecap="round"
      />
      {stops.map(([x, y], index) => (
        <g key={x}>
          <circle
            cx={x}
            cy={y}
            r={index === stops.length - 1 ? 15 : 10}
            fill={index === stops.length - 1 ? "#f2b84b" : "#dcf1ea"}
          />
          <circle cx={x} cy={y} r="4" fill="#0f4b3d" />
        </g>
      ))}
    </svg>
  )
}
