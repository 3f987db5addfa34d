/** Folds a text for comparison without case. */
export const foldCase = (text: string): string => text.toLowerCase()

/** Folds the letters A to Z only, as searches in both stores do. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

/** Folds a name for sorting and search: without case and accents. */
export const foldName = (text: string): string =>
  foldCase(text)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
