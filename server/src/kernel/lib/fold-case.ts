/** Text as it is compared without case. */
export const foldCase = (text: string): string => text.toLowerCase()

/** A text as searches compare it: the letters A to Z without case, as both stores fold them. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** A name as it is sorted and searched: without case, and without the accents of letters. */
export const foldName = (text: string): string =>
  foldCase(text)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
