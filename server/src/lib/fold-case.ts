/** Text as it is compared without case. */
export const foldCase = (text: string): string => text.toLowerCase()
