/**
 * Number of passwords used from the list of common passwords, which is ordered by frequency (domain contract, section
 * 3).
 */
export const commonWordsMaximum = 10_000
