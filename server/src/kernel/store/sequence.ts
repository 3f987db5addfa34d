/**
 * A record's place in the order of creation: the second of its creation and a number of the store's
 * counter, in one integer that JavaScript holds exactly (32 + 21 bits). So the order of every list is
 * the order of creation also for imported records, and a window of creation is a range of the key.
 */
export const numbersPerSecond = 2 ** 21

/** The sequence number of something created at `unixSeconds`, told apart from its peers by `number`. */
export const sequenceOf = (unixSeconds: number, number: number): number =>
  unixSeconds * numbersPerSecond + (number % numbersPerSecond)

/** The smallest sequence number that something created at `unixSeconds` can have. */
export const firstSequenceOf = (unixSeconds: number): number => unixSeconds * numbersPerSecond

/** The second of creation that a sequence number holds. */
export const secondOfSequence = (seq: number): number => Math.floor(seq / numbersPerSecond)

/** Above every sequence number. */
export const sequenceEnd = Number.MAX_SAFE_INTEGER
