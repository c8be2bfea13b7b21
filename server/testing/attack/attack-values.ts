/** A random source that repeats itself by its seed (mulberry32). */
export type Random = (below: number) => number

export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

export function pick<T>(random: Random, list: readonly T[]): T {
  return list[random(list.length)] as T
}

const long = 60_000

/** Texts that break what was written for the texts of friends. */
export const hostileTexts: readonly string[] = [
  ...[
    "",
    " ",
    "\u0000",
    "a\u0000b",
    "\ud800",
    "a\udc00b",
    "\u202e",
    "\uffff",
    "😀",
    "ﷺ".repeat(3000),
    "a\r\nb: c",
  ],
  ...[
    "1".repeat(long),
    `${"1".repeat(long)}x`,
    `${" ".repeat(long)}x`,
    `${"a".repeat(long)}!`,
    "-".repeat(long),
  ],
  ...[
    `${"1,".repeat(long / 2)}x`,
    "a,".repeat(long / 2),
    ",".repeat(long),
    `a@${"b.".repeat(long / 2)}`,
    "é".repeat(3000),
  ],
  ...[
    "[".repeat(5000),
    "(".repeat(5000),
    '"'.repeat(5000),
    "%".repeat(50),
    "\\".repeat(5000),
    "\n".repeat(long),
  ],
  ...[
    "0",
    "-1",
    "1.5",
    "1e308",
    "1e309",
    "-1e309",
    "NaN",
    "Infinity",
    "0x10",
    "1_000",
    "٣",
    "9007199254740993",
  ],
  ...["2147483648", "9223372036854775808", "99999999999999999999999", "1e-400", "-0", "+1", "1,5", "１"],
  ...["0000-00-00", "0000-01-01 00:00:00", "2031-02-30 10:00:00", "9999-12-31 23:59:59", "-271821-04-20"],
  ...[
    "+275760-09-13T00:00:00Z",
    "294277-01-01",
    "10000-01-01 00:00:00",
    "2031-01-01 24:00:00",
    "24:00",
    "99:99:99",
  ],
  ...["0001-01-01", "1600-01-01 00:00:00", "2031-05-04T03:02:01.999999999Z", "2031-05-04 03:02:01+99:99"],
  ...[
    "../../etc/passwd",
    "..%2f..%2f",
    "/",
    "a/b",
    "%",
    "%zz",
    "%00",
    "?",
    "#",
    "a&b=c",
    "constructor",
    "__proto__",
  ],
  ...[
    "toString",
    "hasOwnProperty",
    "null",
    "undefined",
    "true",
    "[]",
    "{}",
    '{"a":',
    "[object Object]",
    "*",
    "$1",
  ],
  ...[
    "ffffffffffffffffffffffff",
    "FFFFFFFFFFFFFFFFFFFFFFFF",
    "6a01c0ffee5de0b4a7710c1",
    "000000000000000000000000",
  ],
  ...[
    "'; select pg_sleep(9); --",
    "' or '1'='1",
    "\\'",

    "{{7*7}}",
    "<script>",
    "=1+1",
    "%_%",
    "!@#$%^&*()",
  ],
  ...[
    "Mars/Phobos",
    "xx-XX-xx",
    "en-u-ca-xx",
    "http://[::1",
    "javascript:alert(1)",
    "a@b",
    "x@y.z\u0000",
    "90.1,181",
    ",",
    "91,0",
  ],
]

const deep = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels)
const list = (unit: string, count: number) => `[${`${unit},`.repeat(count)}${unit}]`

/** JSON that stands where a value stands, as written: not every one of these is JSON. */
export const hostileJson: readonly string[] = [
  ...[
    "null",
    "true",
    "false",
    "0",
    "-1",
    "1.5",
    "-0",
    "[]",
    "{}",
    '""',
    "[null]",
    "[[]]",
    '{"a":1}',
    '[{"a":{}}]',
  ],
  ...["1e308", "-1e308", "1e309", "-1e400", "1e-400", "2147483648", "-2147483649", "9007199254740993"],
  ...["9223372036854775808", "32768", "123456789012345678901234567890", "0.1234567890123456789", "100000.5"],
  ...["1".repeat(400), `1${"0".repeat(5000)}`, `0.${"1".repeat(5000)}`],
  ...[
    deep("[", "]", 90),
    deep('{"a":', "1}", 0) + deep("[", "]", 101),
    `${'{"a":'.repeat(90)}1${"}".repeat(90)}`,
  ],
  ...[
    deep("[", "]", 5000),
    list("{}", 5000),
    list("[]", 5000),
    list("1", 5000),
    list('"a"', 5000),
    list("null", 5000),
  ],
  ...[
    '{"__proto__":{"a":1}}',
    '{"\\u005f_proto__":{"a":1}}',
    '{"constructor":{"prototype":{}}}',
    '{"a":1,"a":[]}',
  ],
  ...[
    '{"toString":1,"valueOf":1,"length":-1}',
    '{"length":4294967296}',
    '{"":"","\\u0000":1}',
    '["\\ud800"]',
  ],
  ...[
    '{"$gt":""}',
    '[{"_id":"x"},{"_id":"x"}]',
    '"\\u0000"',
    '"\\ud800"',
    "[",
    '{"a":',
    "tru",
    "01",
    "'a'",
    "NaN",
  ],
  `{${Array.from({ length: 3000 }, (_, index) => `"k${index}":${index}`).join(",")}}`,
]

/** Headers that a client may send with any value. */
export const hostileHeaders = [
  ...[
    "accept",
    "accept-language",
    "authorization",
    "content-type",
    "cookie",
    "host",
    "idempotency-key",
    "if-match",
  ],
  ...[
    "if-none-match",
    "last-event-id",
    "origin",
    "range",
    "sec-fetch-site",
    "traceparent",
    "user-agent",
    "x-api-key",
  ],
  ...[
    "x-forwarded-for",
    "x-forwarded-host",
    "x-fieldway-console",
    "x-forwarded-proto",
    "forwarded",
    "accept-encoding",
  ],
] as const
