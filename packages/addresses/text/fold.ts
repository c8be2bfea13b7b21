/** Marks above and below Latin, Greek, Cyrillic, Hebrew and Arabic letters. Vowel signs of other scripts are letters. */
const marks = /[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u064b-\u065f\u0670]/g
const otherLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ŋ: "n",
}
const otherLetter = /[ßæœøłđðþıŋ]/g
/** Digits of other scripts: the first of each block of ten. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50]
const otherDigit = /[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]/g

/** Text without case, diacritics and forms of digits, so that what sounds the same compares equal. */
export function fold(text: string): string {
  // Only ASCII: nothing to take apart.
  if (/^[\u0020-\u007e]*$/.test(text)) return text.toLowerCase()
  return text
    .normalize("NFKD")
    .toLowerCase()
    .replace(marks, "")
    .replace(otherLetter, (letter) => otherLetters[letter] ?? letter)
    .replace(otherDigit, (digit) => {
      const code = digit.charCodeAt(0)
      return String(code - (zeros.findLast((zero) => zero <= code) ?? code))
    })
    .normalize("NFC")
}
