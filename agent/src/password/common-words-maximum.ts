/** How many of the list of common passwords, which is ordered by how common they are, count (domain contract, section 3). */
export const commonWordsMaximum = 10_000
